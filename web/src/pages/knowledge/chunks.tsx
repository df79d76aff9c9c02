import { Badge, Box, Breadcrumbs, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';

const ROUTE = '/inside/t/$tenant/knowledge/$kb/documents/$document';

/** A document as it was cut: each chunk with its page and the headings above it. */
export function ChunksPage() {
  const t = useTexts();
  const { tenant, kb, document: id } = useParams({ from: ROUTE });
  const { chunk: wanted } = useSearch({ from: ROUTE });
  const path = { kb_id: kb, document_id: id };
  const document = useQuery({
    queryKey: [tenant, 'bases', kb, 'documents', 'one', id],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}', { params: { path } })),
  });
  const list = useInfiniteQuery({
    queryKey: [tenant, 'bases', kb, 'documents', 'chunks', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/chunks', {
          params: { path, query: { limit: 50, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const chunks = list.data?.pages.flatMap((page) => page.data) ?? [];
  const total = list.data?.pages[0]?.total ?? chunks.length;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 180,
    overscan: 4,
  });
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  const at = chunks.findIndex((chunk) => chunk.id === wanted);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    // Until the one that was asked for is there, and then as far as somebody looks.
    const missing = wanted !== undefined && at < 0;
    if (hasNextPage && !isFetchingNextPage && (missing || last >= chunks.length - 5)) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, wanted, at, last, chunks.length]);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: 'start' });
  }, [at, rows.scrollToIndex]);
  return (
    <Page title={document.data?.title ?? '…'}>
      <Breadcrumbs>
        <Link to="/t/$tenant/knowledge" params={{ tenant }}>
          {t.knowledge.title}
        </Link>
        <Link to="/t/$tenant/knowledge/$kb" params={{ tenant, kb }}>
          {t.knowledge.tabDocuments}
        </Link>
        <Text size="sm">{t.knowledge.chunks(total)}</Text>
      </Breadcrumbs>
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton />}
      <Box
        ref={scroller}
        h="calc(100vh - 200px)"
        style={{ overflow: 'auto' }}
        tabIndex={0}
        aria-label={t.knowledge.viewChunks}
        role="region"
      >
        <Box h={rows.getTotalSize()} pos="relative">
          {rows.getVirtualItems().map((row) => {
            const chunk = chunks[row.index];
            if (!chunk) return null;
            return (
              <Box
                key={chunk.id}
                ref={rows.measureElement}
                data-index={row.index}
                pos="absolute"
                w="100%"
                style={{ transform: `translateY(${row.start}px)` }}
                pb="xs"
              >
                <Paper
                  withBorder
                  p="md"
                  style={
                    chunk.id === wanted ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined
                  }
                >
                  <Stack gap={4}>
                    <Group gap="xs">
                      <Badge variant="light">{t.knowledge.chunkOf(chunk.chunk_index + 1)}</Badge>
                      {chunk.page_number != null && (
                        <Text size="xs" c="dimmed">
                          {t.knowledge.page(chunk.page_number)}
                        </Text>
                      )}
                      <Text size="xs" c="dimmed">
                        {chunk.headings.join(' › ')}
                      </Text>
                    </Group>
                    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                      {chunk.content}
                    </Text>
                  </Stack>
                </Paper>
              </Box>
            );
          })}
        </Box>
      </Box>
    </Page>
  );
}
