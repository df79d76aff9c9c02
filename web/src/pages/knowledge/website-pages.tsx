import { Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useDates, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { websitesKey } from './queries';

type State = Schemas['WebsitePageState'];

const STATES: State[] = ['read', 'waiting', 'skipped', 'failed', 'gone'];
const COLOURS = { waiting: 'gray', read: 'teal', skipped: 'gray', failed: 'red', gone: 'ochre' } as const;

/** The pages of a website, each with what became of it. */
export function WebsitePages({ tenant, kb, id }: { tenant: string; kb: string; id: string }) {
  const t = useTexts();
  const words = t.websites;
  const dates = useDates();
  const [state, setState] = useState<State | null>(null);
  const list = useInfiniteQuery({
    queryKey: [...websitesKey(tenant, kb), id, 'pages', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      told(
        api.GET('/api/v1/websites/{website_id}/pages', {
          params: {
            path: { website_id: id },
            query: { limit: 50, cursor: pageParam, ...(state ? { state } : {}) },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const pages = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Stack>
      <Select
        label={words.state}
        placeholder={words.allStates}
        data={STATES.map((one) => ({ value: one, label: words.states[one] }))}
        value={state}
        onChange={(value) => setState(value as State | null)}
        clearable
        clearButtonProps={{ 'aria-label': words.allStates }}
        maw={240}
      />
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton />}
      {list.isSuccess && pages.length === 0 && <Text c="dimmed">{words.noPages}</Text>}
      {pages.map((page) => (
        <Group key={page.id} justify="space-between" align="flex-start" gap="xs">
          <Stack gap={0} style={{ flex: '1 1 260px', minWidth: 0 }}>
            {page.document_title && (
              <Text size="sm" fw={500}>
                {page.document_title}
              </Text>
            )}
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {page.address}
            </Text>
            {page.error_message && <Text size="xs">{page.error_message}</Text>}
          </Stack>
          <Group gap="xs">
            {page.last_seen_at && (
              <Text size="xs" c="dimmed">
                {dates(page.last_seen_at)}
              </Text>
            )}
            <Badge color={COLOURS[page.state]} variant="light">
              {words.states[page.state]}
            </Badge>
            {page.document_status && page.document_status !== 'completed' && (
              <Badge color={page.document_status === 'failed' ? 'red' : 'ochre'} variant="light">
                {t.knowledge.statuses[page.document_status]}
              </Badge>
            )}
            {page.document_id && (
              <TextLink
                to="/t/$tenant/knowledge/$kb/documents/$document"
                params={{ tenant, kb, document: page.document_id }}
                size="sm"
                aria-label={`${words.document}: ${page.address}`}
              >
                {words.document}
              </TextLink>
            )}
          </Group>
        </Group>
      ))}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}
