import { Badge, Progress, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { Document } from '../queries';
import { isMoving, nameOf, STATUS_COLOURS } from './wanted';

type Known = Pick<Document, 'status' | 'stage' | 'progress_percent' | 'enabled'>;

/** Where a document is on its way, and how far. */
export function DocumentState({ document }: { document: Document }) {
  const t = useTexts();
  const { status, enabled }: Known = document;
  return (
    <Stack gap={2} align="flex-start">
      <span>
        <Badge color={STATUS_COLOURS[status]} variant="light">
          {t.knowledge.statuses[status]}
        </Badge>
        {!enabled && (
          <Badge color="gray" variant="light" ml={4}>
            {t.documents.hidden}
          </Badge>
        )}
      </span>
      {isMoving(document) && <ReadingProgress document={document} name={nameOf(document)} />}
    </Stack>
  );
}

export function ReadingProgress({
  document,
  name,
}: {
  document: { stage?: Document['stage']; progress_percent: number };
  name: string;
}) {
  const { documents: words } = useTexts();
  const { stage, progress_percent: percent } = document;
  const step = stage ? words.stages[stage] : words.waits;
  return (
    <Stack gap={2} w="100%">
      <Progress value={percent} size="sm" aria-label={`${words.reading} ${name}`} />
      <Text size="xs" c="dimmed">
        {percent > 0 ? `${step} · ${percent} %` : step}
      </Text>
    </Stack>
  );
}
