import { Badge, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import { MarkedText, wordsIn } from '../../../parts/marked';

type Chunk = Schemas['RagChunk'];

/** One passage, how surely it answers, and what speaks for it. */
export function FoundPassage({
  tenant,
  chunk,
  query,
  reranked,
}: {
  tenant: string;
  chunk: Chunk;
  query: string;
  reranked: boolean;
}) {
  const t = useTexts();
  const words = t.documents;
  const { cosine, coverage, relevance } = chunk.raw_scores;
  const matched = wordsIn(chunk.content, query);
  return (
    <Paper withBorder p="md" component="article">
      <Group justify="space-between" mb={4} gap="xs">
        <TextLink
          to="/t/$tenant/knowledge/$kb/documents/$document"
          params={{ tenant, kb: chunk.knowledge_base_id, document: chunk.document_id }}
          search={{ chunk: chunk.chunk_id }}
          size="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere', minWidth: 0 }}
        >
          {chunk.document_name}
        </TextLink>
        <Group gap="xs">
          {chunk.page_number != null && (
            <Text size="xs" c="dimmed">
              {t.knowledge.page(chunk.page_number)}
            </Text>
          )}
          <Badge variant="light" aria-label={`${words.score} ${chunk.similarity_score.toFixed(2)}`}>
            {chunk.similarity_score.toFixed(2)}
          </Badge>
        </Group>
      </Group>
      {chunk.headings.length > 0 && (
        <Text size="xs" c="dimmed" mb={4}>
          {chunk.headings.join(' › ')}
        </Text>
      )}
      <MarkedText text={chunk.content} words={query} />
      <Stack gap={4} mt="sm" component="section" aria-label={words.why}>
        <Text size="xs" fw={600}>
          {words.why}
        </Text>
        {cosine != null && <Leg name={words.legs.meaning} value={cosine} />}
        <Leg name={words.legs.ideas} value={coverage} />
        <Leg name={words.legs.words} value={relevance} />
        <Text size="xs" c="dimmed">
          {matched.length > 0 ? words.matched(matched) : words.matchedNone}
          {reranked ? ` ${words.judged}` : ''}
        </Text>
      </Stack>
    </Paper>
  );
}

function Leg({ name, value }: { name: string; value: number }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" w={170} style={{ flexShrink: 0 }}>
        {name}
      </Text>
      <Progress value={Math.max(0, value) * 100} size="sm" flex={1} maw={200} aria-label={name} />
      <Text size="xs" w={34} ta="right">
        {value.toFixed(2)}
      </Text>
    </Group>
  );
}
