import { Badge, Button, CopyButton, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';

export function ComingChunk() {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Skeleton height={20} width={160} />
        <Skeleton height={90} />
      </Stack>
    </Paper>
  );
}

/** A chunk, and for the one that was asked for the text in which it stands. */
export function ChunkCard({
  chunk,
  total,
  wanted,
  around,
  jump,
  choose,
}: {
  chunk: Schemas['ChunkView'];
  total: number;
  wanted: boolean;
  around: Schemas['ChunkWithNeighbours'] | undefined;
  jump: (index: number) => void;
  choose: (chunk: string) => void;
}) {
  const t = useTexts();
  const words = t.documents;
  const index = chunk.chunk_index;
  const pages = chunk.page_start !== chunk.page_end ? [chunk.page_start, chunk.page_end] : undefined;
  return (
    <Paper
      withBorder
      p="md"
      component="article"
      aria-current={wanted || undefined}
      style={wanted ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Stack gap={6}>
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <Badge variant="light">{t.knowledge.chunkOf(index + 1)}</Badge>
            {chunk.page_number != null && (
              <Text size="xs" c="dimmed">
                {pages?.[0] != null && pages[1] != null
                  ? words.pages(pages[0], pages[1])
                  : t.knowledge.page(chunk.page_number)}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {words.chunkSize(chunk.end_char - chunk.start_char, chunk.content_tokens)}
            </Text>
          </Group>
          <Group gap={4}>
            {wanted && index > 0 && (
              <Button size="compact-xs" variant="subtle" onClick={() => jump(index - 1)}>
                {words.before}
              </Button>
            )}
            {wanted && index + 1 < total && (
              <Button size="compact-xs" variant="subtle" onClick={() => jump(index + 1)}>
                {words.after}
              </Button>
            )}
            {!wanted && (
              <Button size="compact-xs" variant="subtle" onClick={() => choose(chunk.id)}>
                {words.inContext}
              </Button>
            )}
            <CopyButton value={chunk.content}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="subtle" onClick={copy}>
                  {copied ? t.common.copied : t.common.copy}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Group>
        {chunk.headings.length > 0 && (
          <Text size="xs" c="dimmed">
            {chunk.headings.join(' › ')}
          </Text>
        )}
        <ContentInContext content={chunk.content} context={around?.context} />
      </Stack>
    </Paper>
  );
}

/** What stands before and after a chunk in its document, dimmed. */
function ContentInContext({ content, context }: { content: string; context: string | undefined }) {
  const at = context?.indexOf(content) ?? -1;
  const before = at > 0 ? context?.slice(0, at) : '';
  const after = at >= 0 ? context?.slice(at + content.length) : '';
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {before?.trim() && (
        <Text span inherit c="dimmed">
          …{before}
        </Text>
      )}
      {content}
      {after?.trim() && (
        <Text span inherit c="dimmed">
          {after}…
        </Text>
      )}
    </Text>
  );
}
