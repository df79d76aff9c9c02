import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { askAsNobody, type Spoken, settled } from './queries';

/** Asks the same once more, and shows what was answered beside what is answered now. */
export function AskAgain({
  turn,
  draft = false,
  before,
}: {
  turn: Schemas['TurnDetails'];
  draft?: boolean;
  /** What was said up to the question and with it; the question alone where that is not known. */
  before?: () => Promise<Spoken[]> | Spoken[];
}) {
  const t = useTexts();
  const asking = useMutation({
    mutationFn: async () => {
      // What was just corrected has to be read first.
      await Promise.all((turn.trace.citations ?? []).map(settled));
      const said = (await before?.()) ?? [];
      const question: Spoken = { role: 'user', content: turn.question };
      const messages = said.at(-1)?.role === 'user' ? said : [...said, question];
      return askAsNobody(turn.agent_id, messages, draft);
    },
  });
  const now = asking.data?.message.content;
  const same = now?.trim() === turn.answer.trim();
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button size="xs" variant="light" loading={asking.isPending} onClick={() => asking.mutate()}>
          {t.why.askAgain}
        </Button>
        <Text size="xs" c="dimmed" flex="1 1 200px">
          {asking.isPending ? t.why.asking : t.why.againHelp}
        </Text>
      </Group>
      {asking.isError && <FailureNotice error={asking.error} />}
      <div aria-live="polite">
        {now !== undefined && (
          <Stack gap="xs">
            <Badge variant="light" color={same ? 'gray' : 'teal'} tt="none">
              {same ? t.why.same : t.why.changed}
            </Badge>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
              <AnswerSide title={t.why.before} text={turn.answer} />
              <AnswerSide title={t.why.now} text={now} current />
            </SimpleGrid>
          </Stack>
        )}
      </div>
    </Stack>
  );
}

function AnswerSide({ title, text, current = false }: { title: string; text: string; current?: boolean }) {
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={title}
      style={current ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
    </Paper>
  );
}
