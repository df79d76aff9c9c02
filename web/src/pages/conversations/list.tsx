import { Box, Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ButtonLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { InboxSearch } from '../../routes/conversations';
import styles from './inbox.module.css';
import { useNewest } from './newest';
import { byActivity, conversationsKey, conversationsOf, loadConversations } from './queries';
import { ConversationRow } from './row';

export function ConversationList({
  tenant,
  search,
  open,
}: {
  tenant: string;
  search: InboxSearch;
  open: string | undefined;
}) {
  const t = useTexts();
  const options = conversationsOf(tenant, search);
  const list = useInfiniteQuery(options);
  useNewest({
    listKey: options.queryKey,
    newestKey: [...conversationsKey(tenant), 'newest', search],
    load: () => loadConversations(search),
    compare: byActivity,
    enabled: list.isSuccess,
  });
  const rows = useMemo(() => {
    const all = list.data?.pages.flatMap((page) => page.data) ?? [];
    // What moves while somebody scrolls comes again with a later page.
    return [...new Map(all.map((row) => [row.id, row])).values()].sort(byActivity);
  }, [list.data]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at]?.id ?? at,
    estimateSize: () => 92,
    overscan: 6,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    const near = rows.length > 0 && last >= rows.length - 8;
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && near) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, last, rows.length]);
  if (list.isPending) return <ListSkeleton rows={8} />;
  if (list.isError && rows.length === 0) return <FailureNotice error={list.error} again={list.refetch} />;
  if (rows.length === 0) return <NothingListed tenant={tenant} search={search} />;
  return (
    <Box
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={t.conversations.list}
      tabIndex={0}
    >
      <Box h={virtual.getTotalSize()} pos="relative">
        {shown.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <Box
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              pos="absolute"
              top={0}
              w="100%"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <ConversationRow tenant={tenant} conversation={row} current={row.id === open} />
            </Box>
          );
        })}
      </Box>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.common.more}
        </Button>
      )}
      {!hasNextPage && rows.length > 20 && (
        <Text size="xs" c="dimmed" ta="center" py="xs">
          {t.conversations.thatIsAll}
        </Text>
      )}
    </Box>
  );
}

function NothingListed({ tenant, search }: { tenant: string; search: InboxSearch }) {
  const t = useTexts();
  const navigate = useNavigate();
  if (Object.keys(search).length > 0)
    return (
      <EmptyState
        title={t.conversations.nothingFound}
        text={t.conversations.nothingFoundText}
        action={
          <Button variant="default" onClick={() => navigate({ to: '.', search: {}, replace: true })}>
            {t.conversations.clearFilters}
          </Button>
        }
      />
    );
  return (
    <EmptyState
      title={t.conversations.emptyTitle}
      text={t.conversations.emptyText}
      action={
        <ButtonLink to="/t/$tenant/agents" params={{ tenant }}>
          {t.conversations.emptyAction}
        </ButtonLink>
      }
    />
  );
}
