import { Alert, Badge, Blockquote, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDrawer } from '../../parts/guarded-dialog';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../customers/formats';
import { useMoney } from '../metrics/money';
import { AnswerOrigins } from '../why';
import type { Spoken } from '../why/queries';
import { TurnFeedback } from './feedback';
import { toolsOf, turnOf } from './queries';
import { TurnSteps } from './steps';

/** Why an agent answered what it did: what it understood, looked up and used, and how long that took. */
export function TurnDrawer({
  tenant,
  turn,
  before,
  close,
}: {
  tenant: string;
  turn: string | undefined;
  /** What was said up to the question, where it was part of a conversation. */
  before?: () => Promise<Spoken[]>;
  close: () => void;
}) {
  const t = useTexts();
  const [editing, setEditing] = useState(false);
  return (
    <GuardedDrawer
      opened={turn !== undefined}
      onClose={close}
      // The form on top of it takes the key first.
      closeOnEscape={!editing}
      size="lg"
      title={t.conversations.whyTitle}
    >
      {turn && <TurnContents tenant={tenant} turn={turn} before={before} editing={setEditing} />}
    </GuardedDrawer>
  );
}

function TurnContents({
  tenant,
  turn,
  before,
  editing,
}: {
  tenant: string;
  turn: string;
  before: (() => Promise<Spoken[]>) | undefined;
  editing: (open: boolean) => void;
}) {
  const t = useTexts();
  const found = useQuery(turnOf(tenant, turn));
  const tools = useQuery({
    ...toolsOf(tenant, found.data?.agent_id ?? ''),
    enabled: found.isSuccess,
  }).data;
  if (found.isLoadingError) return <FailureNotice error={found.error} again={found.refetch} />;
  if (found.isPending) return <ListSkeleton />;
  const { data } = found;
  return (
    <Stack>
      <Stack gap={4}>
        <Blockquote p="sm" color="gray" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {data.question}
        </Blockquote>
        <Blockquote p="sm" fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {data.answer}
        </Blockquote>
      </Stack>
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
      {data.trace.degraded_reason && (
        <Alert color="ochre" title={t.conversations.degraded}>
          {t.conversations.degradedReasons[data.trace.degraded_reason]}
        </Alert>
      )}
      <AnswerOrigins tenant={tenant} turn={data} before={before} editing={editing} />
      <TurnFigures tenant={tenant} turn={data} />
      <TurnFeedback tenant={tenant} turn={data} />
      <Title order={3} size="h5">
        {t.conversations.steps}
      </Title>
      <TurnSteps tenant={tenant} steps={data.trace.steps} tools={tools ?? []} />
    </Stack>
  );
}

function TurnFigures({ tenant, turn }: { tenant: string; turn: Schemas['TurnDetails'] }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const cost = turn.cost_micros == null ? t.conversations.unknownCost : money.written(turn.cost_micros);
  const named = (names: Record<string, string>, name: string) => names[name] ?? name;
  const figures = [
    [t.conversations.intent, named(t.conversations.intents, turn.intent)],
    [t.conversations.specialist, named(t.conversations.specialists, turn.specialist)],
    [t.conversations.responder, turn.responder === 'builtin' ? t.conversations.builtin : turn.responder],
    [t.conversations.took, t.conversations.milliseconds(formats.decimals(turn.elapsed_ms, 1))],
    [
      t.conversations.tokens,
      t.conversations.tokensOf(formats.count(turn.input_tokens), formats.count(turn.output_tokens)),
    ],
    [t.conversations.cost, cost],
    [t.conversations.calls, t.conversations.callsOf(turn.model_calls, turn.tool_calls)],
    [t.conversations.when, formats.full(turn.created_at)],
  ] as const;
  return (
    <SimpleGrid component="dl" cols={2} spacing="xs" verticalSpacing={6} m={0}>
      {figures.map(([name, figure]) => (
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
