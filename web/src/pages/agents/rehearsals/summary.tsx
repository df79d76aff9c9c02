import { Badge, Group, Progress, Text } from '@mantine/core';
import { useLanguage, useTexts } from '../../../i18n';
import { useMoney } from '../../metrics/money';
import type { Run } from './queries';

export const isUnderWay = (run: Run) => run.state === 'queued' || run.state === 'running';

/** What a rehearsal came to, or how far it is. */
export function RunSummary({ tenant, run }: { tenant: string; run: Run }) {
  const t = useTexts();
  const language = useLanguage();
  const words = t.rehearsals;
  const all = run.scripts + run.conversations;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const cost = useMoney(tenant).written(run.cost_micros);
  const tokens = run.input_tokens + run.output_tokens;
  return (
    <>
      <Group gap={6}>
        <Badge size="sm" variant="light" color={run.state === 'failed' ? 'red' : 'teal'} tt="none">
          {words.states[run.state]}
        </Badge>
        <Badge size="sm" variant="outline" tt="none">
          {words.targetNames[run.target]}
          {run.version != null && ` ${run.version}`}
        </Badge>
        {run.changed > 0 && (
          <Badge size="sm" variant="light" color="ochre" tt="none">
            {words.changed(run.changed)}
          </Badge>
        )}
        {run.failed > 0 && (
          <Badge size="sm" variant="light" color="red" tt="none">
            {words.failed(run.failed)}
          </Badge>
        )}
        {run.state === 'done' && run.failed === 0 && (
          <Badge size="sm" variant="light" tt="none">
            {words.allMet}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {words.answers(run.answers)}
        {tokens > 0 && ` · ${words.tokens(number(tokens))}`}
        {run.cost_micros > 0 && ` · ${cost}`}
      </Text>
      {isUnderWay(run) && (
        <Group gap="xs" mt={4} wrap="nowrap" role="status">
          <Progress
            value={all === 0 ? 0 : (100 * run.played) / all}
            flex={1}
            aria-label={words.progress(run.played, all)}
            animated
          />
          <Text size="xs">{words.progress(run.played, all)}</Text>
        </Group>
      )}
    </>
  );
}
