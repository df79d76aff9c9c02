import { Alert, Badge, Group, List, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { AnswerView } from './answer';
import { type Result, useVerdict } from './queries';

const VERDICTS = ['better', 'worse'] as const;

/** One message and its two answers, side by side; one under the other on a phone. */
export function ResultRow({
  tenant,
  agent,
  result,
  changes,
}: {
  tenant: string;
  agent: string;
  result: Result;
  changes: boolean;
}) {
  const t = useTexts();
  const words = t.rehearsals;
  const judging = useVerdict(tenant, agent, result);
  const { before, after } = result;
  const differs = result.verdict !== 'same' || (before && before.text !== after.text);
  const kind = result.script_id ? words.script : words.conversation;
  const found: Schemas['RehearsalVerdict'] = before && before.text === after.text ? 'same' : 'changed';
  const verdict = VERDICTS.find((one) => one === result.verdict) ?? found;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {kind} · {result.title ?? words.nameless} · {words.stepOf(result.step)}
          </Text>
          {before && (
            <Badge size="sm" variant="light" color={differs ? 'ochre' : 'gray'} tt="none">
              {words.verdicts[result.verdict]}
            </Badge>
          )}
        </Group>
        <Text fw={600} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {result.question}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <AnswerView title={words.before} answer={before} other={after} kind="removed" />
          <AnswerView title={words.after} answer={after} other={before} kind="added" />
        </SimpleGrid>
        {result.failed.length > 0 && (
          <Alert color="red" p="xs" title={words.failed(result.failed.length)}>
            <List size="sm">
              {result.failed.map(({ kind, about }) => (
                <List.Item key={`${kind} ${about}`}>{words.reasons[kind](about ?? '')}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {changes && before && (
          <SegmentedControl
            aria-label={words.verdict}
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            data={[found, ...VERDICTS].map((value) => ({ value, label: words.verdicts[value] }))}
            value={judging.isPending ? judging.variables : verdict}
            onChange={(value) =>
              judging.mutate(value as Schemas['RehearsalVerdict'], {
                onSuccess: () => done(words.judged),
                onError: failed,
              })
            }
          />
        )}
      </Stack>
    </Paper>
  );
}
