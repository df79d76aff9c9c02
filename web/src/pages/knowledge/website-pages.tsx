import { Box, Select, Stack, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ListSkeleton } from '../../parts/skeletons';
import { PAGE, usePagesInSight } from './paging';
import { websitesKey } from './queries';
import { type WebsitePage, WebsitePageRow } from './website-page';
import { PAGE_STATES, type PageState, useWebsiteSearch } from './website-search';

/** Rows that are ready above and below those in sight. */
const AROUND = 8;

type Props = { tenant: string; kb: string; id: string };

/** The pages of a website, each with what became of it. */
export function WebsitePages(props: Props) {
  const words = useTexts().websites;
  const { state, change } = useWebsiteSearch();
  return (
    <Stack>
      <Select
        label={words.state}
        placeholder={words.allStates}
        data={PAGE_STATES.map((one) => ({ value: one, label: words.states[one] }))}
        value={state ?? null}
        onChange={(value) => change({ state: PAGE_STATES.find((one) => one === value) })}
        clearable
        clearButtonProps={{ 'aria-label': words.allStates }}
        maw={240}
      />
      <PageRows key={state ?? 'all'} state={state} {...props} />
    </Stack>
  );
}

/** Those that the address names. There may be thousands, of which those in sight are made. */
function PageRows({ tenant, kb, id, state }: Props & { state: PageState | undefined }) {
  const t = useTexts();
  const pages = usePagesInSight<WebsitePage>((cursor) => ({
    queryKey: [...websitesKey(tenant, kb), id, 'pages', state ?? 'all', cursor ?? 'first'],
    queryFn: () =>
      told(
        api.GET('/api/v1/websites/{website_id}/pages', {
          params: { path: { website_id: id }, query: { limit: PAGE, cursor, ...(state ? { state } : {}) } },
        }),
      ),
  }));
  const around = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: pages.count,
    getScrollElement: () => around.current,
    estimateSize: () => 56,
    overscan: AROUND,
    getItemKey: (row) => pages.at(row)?.id ?? row,
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  const { look } = pages;
  useEffect(() => look(first, last), [look, first, last]);
  const isShown = !pages.isPending && !pages.isEmpty;
  return (
    <>
      {pages.failed && <FailureNotice error={pages.failed.error} again={pages.failed.refetch} />}
      {pages.isPending && <ListSkeleton />}
      {pages.isEmpty && <Text c="dimmed">{t.websites.noPages}</Text>}
      <Box
        ref={around}
        // What scrolls is reached with the keyboard.
        tabIndex={0}
        role="list"
        aria-label={t.websites.pages}
        mah="60vh"
        hidden={!isShown}
        style={{ overflowY: 'auto' }}
      >
        <Box pos="relative" h={rows.getTotalSize()}>
          {shown.map((item) => {
            const page = pages.at(item.index);
            return (
              <Box
                key={item.key}
                ref={rows.measureElement}
                role="listitem"
                data-index={item.index}
                pos="absolute"
                top={0}
                left={0}
                w="100%"
                pb="sm"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {page ? <WebsitePageRow tenant={tenant} kb={kb} page={page} /> : <ListSkeleton rows={1} />}
              </Box>
            );
          })}
        </Box>
      </Box>
    </>
  );
}
