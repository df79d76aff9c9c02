import {
  Alert,
  Badge,
  Group,
  Paper,
  Progress,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { nameOf } from '../documents/wanted';
import { type ChunkingConfig, documentsKey, type KnowledgeBase, previewOf } from '../queries';

const SHOWN = 20;
const AFTER_MS = 400;
const LONGEST = 100_000;

/** How a document or a text of one's own would be cut, before anything is saved. */
export function ChunkPreview({
  tenant,
  base,
  config,
}: {
  tenant: string;
  base: KnowledgeBase;
  config: ChunkingConfig;
}) {
  const t = useTexts();
  const words = t.baseSettings.preview;
  const [source, setSource] = useState<'document' | 'text'>(
    (base.total_documents ?? 0) > 0 ? 'document' : 'text',
  );
  const [typed, setTyped] = useState<string>();
  const [document, setDocument] = useState<string | null>(null);
  const [looked, setLooked] = useState('');
  const [q] = useDebouncedValue(looked.trim(), 250);
  const documents = useQuery({
    queryKey: [...documentsKey(tenant, base.id), 'to preview', q],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents', {
          params: {
            path: { kb_id: base.id },
            query: { limit: 20, status: 'completed', ...(q ? { q } : {}) },
          },
        }),
      ),
    enabled: source === 'document',
    placeholderData: keepPreviousData,
  }).data?.data;
  const chosen = document ?? documents?.[0]?.id;
  const text = typed ?? words.sample;
  const of: Pick<Schemas['PreviewChunks'], 'text' | 'document_id'> | undefined =
    source === 'text' ? (text.trim() ? { text } : undefined) : chosen ? { document_id: chosen } : undefined;
  const body = JSON.stringify({ ...of, chunking_config: config, limit: SHOWN });
  const [asked] = useDebouncedValue(body, AFTER_MS);
  const sent: Schemas['PreviewChunks'] = JSON.parse(asked);
  const found = useQuery({
    ...previewOf(tenant, base.id, sent),
    enabled: sent.text != null || sent.document_id != null,
  });
  // What is wrong with the settings is said where they stand once they are saved.
  const wrong =
    found.error instanceof ApiError && found.error.status === 422 ? found.error.message : undefined;
  const names = documents?.map((one) => ({ value: one.id, label: nameOf(one) })) ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label={words.title}>
      <Stack>
        <div>
          <Title order={2} size="h5">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
        </div>
        <SegmentedControl
          aria-label={words.source}
          data={[
            { value: 'document', label: words.document },
            { value: 'text', label: words.typed },
          ]}
          value={source}
          onChange={(value) => setSource(value === 'text' ? 'text' : 'document')}
        />
        {source === 'document' ? (
          <Select
            label={words.document}
            data={names}
            value={chosen ?? null}
            onChange={setDocument}
            searchable
            searchValue={looked || undefined}
            onSearchChange={setLooked}
            filter={({ options }) => options}
            nothingFoundMessage={words.noDocuments}
          />
        ) : (
          <Textarea
            label={words.typed}
            value={text}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autosize
            minRows={3}
            maxRows={8}
            maxLength={LONGEST}
          />
        )}
        {wrong && (
          <Alert color="ochre" role="alert">
            {wrong}
          </Alert>
        )}
        {found.isError && !wrong && <FailureNotice error={found.error} again={found.refetch} />}
        {of && found.isPending && <ListSkeleton rows={3} />}
        {of && found.data && !found.isError && (
          <PreviewedChunks found={found.data} fresh={!found.isPlaceholderData} config={config} />
        )}
      </Stack>
    </Paper>
  );
}

function PreviewedChunks({
  found,
  fresh,
  config,
}: {
  found: Schemas['ChunkPreview'];
  fresh: boolean;
  config: ChunkingConfig;
}) {
  const t = useTexts();
  const words = t.baseSettings.preview;
  const unit = config.unit ?? 'characters';
  const sizes = found[unit];
  const most = Math.max(1, config.max_chunk_size ?? 1, sizes.largest);
  return (
    <Stack gap="xs" opacity={fresh ? 1 : 0.6} aria-busy={!fresh}>
      <Group gap="xs" aria-live="polite">
        <Badge variant="light" size="lg" tt="none">
          {t.knowledge.chunks(found.total)}
        </Badge>
        <Text size="sm">{words.sizes[unit](sizes.smallest, sizes.average, sizes.largest)}</Text>
      </Group>
      {found.partial && <Text size="xs">{words.partial}</Text>}
      {!found.structured && <Text size="xs">{words.unstructured}</Text>}
      {found.data.map((chunk) => {
        const size = unit === 'tokens' ? chunk.content_tokens : chunk.end_char - chunk.start_char;
        const name = words.chunk(chunk.chunk_index + 1);
        return (
          <Paper key={chunk.chunk_index} withBorder p="xs" component="article" aria-label={name}>
            <Group gap="xs" justify="space-between">
              <Text size="xs" fw={600}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  chunk.page_number != null && t.knowledge.page(chunk.page_number),
                  words.size(chunk.end_char - chunk.start_char, chunk.content_tokens),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Group>
            <Progress value={(size * 100) / most} size={4} my={4} aria-label={words.length(name)} />
            {chunk.headings.length > 0 && (
              <Text size="xs" c="dimmed">
                {chunk.headings.join(' › ')}
              </Text>
            )}
            <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {chunk.content}
            </Text>
          </Paper>
        );
      })}
      {found.total > found.data.length && (
        <Text size="xs" c="dimmed">
          {words.more(found.total - found.data.length)}
        </Text>
      )}
    </Stack>
  );
}
