import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../../customers/formats';
import { useMoney } from '../../metrics/money';
import { AnswerOrigins } from '../../why';
import type { Spoken } from '../../why/queries';
import { type SavedAgent, toolsOf, turnOf } from '../queries';
import { StepTable } from './steps';

type Turn = Schemas['TurnDetails'];

/** Why an agent answered what it did: what it took, and every step on the way. */
export function TurnView({
  tenant,
  agent,
  answer,
  draft,
  before,
}: {
  tenant: string;
  agent: SavedAgent;
  answer: Schemas['ChatAnswer'];
  draft: boolean;
  before: () => Spoken[];
}) {
  const t = useTexts();
  const found = useQuery(turnOf(tenant, answer.turn_id));
  const tools = useQuery(toolsOf(tenant, agent.id));
  const { data } = found;
  if (!data && found.isError) return <FailureNotice error={found.error} again={found.refetch} />;
  if (!data) return <ListSkeleton rows={3} />;
  return (
    <Stack gap="sm" mt="sm" aria-live="off">
      <Group gap={6}>
        <Badge variant="light" color={data.grounded ? 'teal' : 'ochre'} tt="none">
          {data.grounded ? t.conversations.grounded : t.conversations.notGrounded}
        </Badge>
        {data.escalated && (
          <Badge variant="light" color="ochre" tt="none">
            {t.conversations.escalated}
          </Badge>
        )}
        {data.variant && (
          <Badge variant="outline" color="gray" tt="none">
            {data.variant}
          </Badge>
        )}
      </Group>
      <AnswerOrigins tenant={tenant} turn={data} draft={draft} before={before} />
      <TurnFigures tenant={tenant} turn={data} />
      <StepTable tenant={tenant} trace={data.trace} citations={answer.citations} tools={tools.data ?? []} />
    </Stack>
  );
}

function TurnFigures({ tenant, turn }: { tenant: string; turn: Turn }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const { figures } = t.agents;
  const named = (names: Record<string, string>, name: string) => names[name] ?? name;
  const { prompt_source, prompt_tokens, usage } = turn.trace;
  const source = t.agents.promptSources[prompt_source];
  const tokens = t.conversations.tokensOf(
    formats.count(turn.input_tokens),
    formats.count(turn.output_tokens),
  );
  const cached = usage.cached_input_tokens ?? 0;
  const rows = [
    [figures.intent, named(t.conversations.intents, turn.intent)],
    [figures.specialist, named(t.conversations.specialists, turn.specialist)],
    [figures.responder, turn.responder === 'builtin' ? t.conversations.builtin : turn.responder],
    [figures.took, t.conversations.milliseconds(formats.decimals(turn.elapsed_ms, 1))],
    [
      figures.prompt,
      prompt_source === 'none' ? source : t.agents.promptOf(source, formats.count(prompt_tokens)),
    ],
    [figures.tokens, cached > 0 ? `${tokens}, ${t.agents.cached(formats.count(cached))}` : tokens],
    [figures.cost, turn.cost_micros == null ? t.conversations.unknownCost : money.written(turn.cost_micros)],
    [figures.calls, t.conversations.callsOf(turn.model_calls, turn.tool_calls)],
  ] as const;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="xs" verticalSpacing={6} m={0}>
      {rows.map(([name, figure]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {figure}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
