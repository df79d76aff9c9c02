import { Alert, Button, Group, Text } from '@mantine/core';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { problemsOf } from '../../../parts/problems';
import { useFormats } from '../../customers/formats';
import { useMoney } from '../../metrics/money';
import type { SavedAgent } from '../queries';

type Trials = UseMutationResult<Schemas['ModelTrials'], Error, Schemas['UnsavedAgent']>;

/** Asks the models of a form for a word, whether they are saved or not. */
export function useModelTrials(agent: SavedAgent, show: (problems: Record<string, string>) => void): Trials {
  const t = useTexts();
  return useMutation({
    mutationFn: (body: Schemas['UnsavedAgent']) =>
      told(api.POST('/api/v1/agents/{agent}/model/try', { params: { path: { agent: agent.id } }, body })),
    onError: (error) => show(problemsOf(error, t)),
  });
}

/** The button that tries all of them, and why that was not possible. */
export function TryModels({ trials, act }: { trials: Trials; act: () => void }) {
  const t = useTexts();
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={trials.isPending} onClick={act}>
          {t.trials.try}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 220px">
          {t.trials.help}
        </Text>
      </Group>
      {trials.isError && <FailureNotice error={trials.error} />}
    </>
  );
}

/** What came of trying one model. */
export function ModelTrial({ tenant, trials, field }: { tenant: string; trials: Trials; field: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const trial = trials.data?.data.find((one) => one.field === field);
  if (!trial || trials.isPending) return null;
  const { usage, cost_micros, first_word_ms } = trial;
  const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${formats.decimals(ms / 1000, 1)} s`);
  const figures = [
    ...(first_word_ms == null ? [] : [t.trials.firstWord(seconds(first_word_ms))]),
    ...(trial.outcome === 'answered'
      ? [
          t.trials.tokens(formats.count(usage.input_tokens), formats.count(usage.output_tokens)),
          cost_micros == null ? t.trials.noCost : t.trials.cost(money.written(cost_micros)),
        ]
      : []),
  ];
  return (
    <Alert
      role="status"
      color={trial.works ? 'teal' : 'red'}
      title={`${trial.works ? t.trials.works : t.trials.fails}: ${trial.model}`}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text size="sm">{trial.message}</Text>
      {figures.length > 0 && (
        <Text size="sm" c="dimmed">
          {figures.join(' · ')}
        </Text>
      )}
    </Alert>
  );
}
