import { Box, Breadcrumbs, Button, Group, NumberInput, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { ChunkCard, ComingChunk } from './chunk';
import { DocumentState } from './documents/status';
import { isMoving, nameOf } from './documents/wanted';
import { baseOf, documentOf, documentsKey } from './queries';

const ROUTE = '/inside/t/$tenant/knowledge/$kb/documents/$document';
/** What one answer may weigh, in characters of its chunks. */
const ROOM = 60_000;
const PER_TOKEN = 4;
const MOST = 50;

/** A document as it was cut: each chunk with its page and the headings above it. */
export function ChunksPage() {
  const { tenant, kb, document } = useParams({ from: ROUTE });
  // Another document begins at its own first chunk.
  return <Chunks key={document} tenant={tenant} kb={kb} id={document} />;
}

function Chunks({ tenant, kb, id }: { tenant: string; kb: string; id: string }) {
  const t = useTexts();
  const words = t.documents;
  const { chunk: wanted } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/knowledge/$kb/documents/$document' });
  const path = { kb_id: kb, document_id: id };
  const found = useQuery(documentOf(tenant, kb, id));
  const base = useQuery(baseOf(tenant, kb)).data;
  const document = found.data;
  const total = document?.chunks_count ?? 0;
  // Long chunks come fewer at a time.
  const { unit, max_chunk_size: longest = 2_000 } = base?.chunking_config ?? {};
  const size = Math.max(
    1,
    Math.min(MOST, Math.floor(ROOM / (unit === 'tokens' ? longest * PER_TOKEN : longest))),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 240,
    overscan: 3,
  });
  const shown = rows.getVirtualItems();
  const first = Math.floor((shown[0]?.index ?? 0) / size);
  const last = Math.floor((shown.at(-1)?.index ?? 0) / size);
  const parts = Array.from({ length: last - first + 1 }, (_, part) => first + part);
  const pages = useQueries({
    queries: parts.map((part) => ({
      queryKey: [...documentsKey(tenant, kb), 'chunks', id, size, part],
      queryFn: () =>
        told(
          api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/chunks', {
            params: { path, query: { limit: size, cursor: String(part * size) } },
          }),
        ),
      enabled: base !== undefined && total > 0,
    })),
  });
  const chunkAt = (index: number) => pages[Math.floor(index / size) - first]?.data?.data[index % size];
  const failure = pages.find(({ isError }) => isError);
  // Where the one stands that was asked for by its id, such as by a citation.
  const at = useQuery({
    queryKey: [...documentsKey(tenant, kb), 'chunk', id, wanted],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/chunks/{chunk_id}', {
          params: { path: { ...path, chunk_id: wanted ?? '' } },
        }),
      ),
    enabled: wanted !== undefined,
    retry: false,
  });
  const place = at.data?.chunk.chunk_index;
  const ready = total > 0;
  useEffect(() => {
    if (place !== undefined && ready) rows.scrollToIndex(place, { align: 'start' });
  }, [place, ready, rows.scrollToIndex]);
  const [number, setNumber] = useState<string | number>('');
  const jump = (to: number) => rows.scrollToIndex(Math.min(Math.max(0, to), total - 1), { align: 'start' });
  const choose = (chunk: string) => void navigate({ search: { chunk }, replace: true });
  return (
    <Page title={document ? nameOf(document) : '…'}>
      <Group justify="space-between" gap="xs">
        <Breadcrumbs style={{ flexWrap: 'wrap', rowGap: 4 }}>
          <TextLink to="/t/$tenant/knowledge" params={{ tenant }} size="sm">
            {t.knowledge.title}
          </TextLink>
          <TextLink to="/t/$tenant/knowledge/$kb" params={{ tenant, kb }} size="sm">
            {base?.name ?? t.knowledge.tabDocuments}
          </TextLink>
          <Text size="sm">{t.knowledge.chunks(total)}</Text>
        </Breadcrumbs>
        {total > 1 && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typeof number === 'number') jump(number - 1);
            }}
          >
            <Group gap="xs" wrap="nowrap">
              <NumberInput
                aria-label={words.jumpTo(total)}
                placeholder={words.jumpTo(total)}
                min={1}
                max={total}
                allowDecimal={false}
                value={number}
                onChange={setNumber}
                w={190}
              />
              <Button type="submit" variant="default">
                {words.jump}
              </Button>
            </Group>
          </form>
        )}
      </Group>
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {at.isError && <FailureNotice error={at.error} />}
      {failure && <FailureNotice error={failure.error} again={failure.refetch} />}
      {found.isPending && <ListSkeleton />}
      {document && (isMoving(document) || document.status === 'failed') && (
        <Box maw={420}>
          <DocumentState document={document} />
          {document.error_message && (
            <Text size="sm" c="var(--mantine-color-error)">
              {document.error_message}
            </Text>
          )}
        </Box>
      )}
      {document && total === 0 && !isMoving(document) && (
        <EmptyState title={words.noChunks} text={words.noChunksText} />
      )}
      {total > 0 && (
        <Box
          ref={scroller}
          h="calc(100dvh - 210px)"
          mih={300}
          style={{ overflow: 'auto' }}
          tabIndex={0}
          aria-label={t.knowledge.viewChunks}
          role="region"
        >
          <Box h={rows.getTotalSize()} pos="relative">
            {shown.map((row) => {
              const chunk = chunkAt(row.index);
              return (
                <Box
                  key={row.key}
                  ref={rows.measureElement}
                  data-index={row.index}
                  pos="absolute"
                  top={0}
                  w="100%"
                  style={{ transform: `translateY(${row.start}px)` }}
                  pb="xs"
                >
                  {chunk ? (
                    <ChunkCard
                      chunk={chunk}
                      total={total}
                      wanted={chunk.id === wanted}
                      around={chunk.id === wanted ? at.data : undefined}
                      jump={jump}
                      choose={choose}
                    />
                  ) : (
                    <ComingChunk />
                  )}
                </Box>
              );
            })}
          </Box>
        </Box>
      )}
    </Page>
  );
}
