import { Alert, Button, Group, NumberInput, Paper, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { done, failed } from '../../parts/notify';
import { ListSkeleton } from '../../parts/skeletons';
import { agentsOf } from '../agents/queries';
import { assignmentsOf, type KnowledgeBase } from './queries';
import { useBaseRights } from './rights';

type Assignment = Schemas['Assignment'];
type Agent = Schemas['Agent'];
type Counting = { priority: number; search_weight: number };

const MOST_PRIORITY = 1000;
const MOST_WEIGHT = 10;

/** Which agents read a knowledge base, and how much it counts with each. */
export function AssignedAgents({ tenant, base }: { tenant: string; base: KnowledgeBase }) {
  const t = useTexts();
  const words = t.knowledge;
  const queries = useQueryClient();
  const { deletes: assigns } = useBaseRights(tenant, base);
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const options = assignmentsOf(tenant, base.id);
  const assigned = useQuery(options);
  const again = () => queries.invalidateQueries({ queryKey: options.queryKey });
  const path = { kb_id: base.id };
  const assigning = useMutation({
    mutationFn: (body: Counting & { agent: string }) =>
      told(api.POST('/api/v1/knowledge-bases/{kb_id}/assignments', { params: { path }, body })),
    onSuccess: again,
  });
  const removing = useMutation({
    mutationFn: (agent: string) =>
      told(
        api.DELETE('/api/v1/knowledge-bases/{kb_id}/assignments/{agent}', {
          params: { path: { ...path, agent } },
        }),
      ),
    onSuccess: again,
    onError: failed,
  });
  if (base.scope === 'business' || base.scope === 'agent')
    return <Alert color="gray">{base.scope === 'business' ? words.readByAll : words.readByOne}</Alert>;
  if (assigned.isPending) return <ListSkeleton rows={2} />;
  if (!assigned.data) return <FailureNotice error={assigned.error} again={assigned.refetch} />;
  const known = new Set(assigned.data.map(({ agent_id }) => agent_id));
  const allowed = agents.filter(
    (agent) => !known.has(agent.id) && (base.scope !== 'personal' || agent.allows_personal_corpus),
  );
  return (
    <Stack maw={760}>
      <Text size="sm" c="dimmed">
        {words.assignedText}
      </Text>
      {assigned.data.length === 0 && <Text>{words.nobody}</Text>}
      {assigned.data.map((one) => (
        <AssignedAgent
          key={`${one.agent_id} ${one.priority} ${one.search_weight}`}
          tenant={tenant}
          assignment={one}
          agent={agents.find(({ id }) => id === one.agent_id)}
          editable={assigns}
          save={(counting) => assigning.mutateAsync({ agent: one.agent_id, ...counting })}
          remove={() => removing.mutate(one.agent_id)}
        />
      ))}
      {assigns && allowed.length > 0 && (
        <NewAssignment
          key={known.size}
          agents={allowed}
          assign={(values) => assigning.mutate(values)}
          pending={assigning.isPending}
        />
      )}
      {assigns && allowed.length === 0 && (
        <Text size="sm" c="dimmed">
          {base.scope === 'personal' ? words.noAgentLeftPersonal : words.noAgentLeft}
        </Text>
      )}
      {assigning.isError && <FailureNotice error={assigning.error} />}
    </Stack>
  );
}

/** One agent, whose priority and weight are saved where they stand. */
function AssignedAgent({
  tenant,
  assignment,
  agent,
  editable,
  save,
  remove,
}: {
  tenant: string;
  assignment: Assignment;
  agent: Agent | undefined;
  editable: boolean;
  save: (counting: Counting) => Promise<unknown>;
  remove: () => void;
}) {
  const t = useTexts();
  const words = t.knowledge;
  const name = agent?.name ?? assignment.agent_id;
  const form = useForm<Counting>({
    initialValues: { priority: assignment.priority, search_weight: assignment.search_weight },
  });
  const saving = useMutation({ mutationFn: save, onSuccess: () => done(t.common.saved) });
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
        <Group justify="space-between" align="flex-end" gap="xs">
          {agent ? (
            <TextLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: agent.slug }} fw={600} pb={6}>
              {name}
            </TextLink>
          ) : (
            <Text fw={600}>{name}</Text>
          )}
          {editable ? (
            <Group align="flex-end" gap="xs">
              <CountingFields form={form} />
              <Button type="submit" variant="default" disabled={!form.isDirty()} loading={saving.isPending}>
                {t.common.save}
              </Button>
              <Button variant="subtle" color="red" onClick={remove}>
                {words.unassign}
              </Button>
            </Group>
          ) : (
            <Text size="sm">
              {words.priority} {assignment.priority} · {words.weight} {assignment.search_weight}
            </Text>
          )}
        </Group>
      </form>
    </Paper>
  );
}

function NewAssignment({
  agents,
  assign,
  pending,
}: {
  agents: readonly Agent[];
  assign: (values: Counting & { agent: string }) => void;
  pending: boolean;
}) {
  const { knowledge: words } = useTexts();
  const form = useForm({ initialValues: { agent: '', priority: 1, search_weight: 1 } });
  return (
    <form onSubmit={form.onSubmit(assign)}>
      <Group align="flex-end" gap="xs">
        <Select
          label={words.agent}
          data={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
          required
          searchable
          {...form.getInputProps('agent')}
        />
        <CountingFields form={form} />
        <Button type="submit" loading={pending} disabled={!form.values.agent}>
          {words.assign}
        </Button>
      </Group>
    </form>
  );
}

function CountingFields({
  form,
}: {
  form: { getInputProps: (field: 'priority' | 'search_weight') => object };
}) {
  const { knowledge: words } = useTexts();
  return (
    <>
      <NumberInput
        label={words.priority}
        min={1}
        max={MOST_PRIORITY}
        allowDecimal={false}
        clampBehavior="strict"
        w={100}
        {...form.getInputProps('priority')}
      />
      <NumberInput
        label={words.weight}
        min={0}
        max={MOST_WEIGHT}
        step={0.1}
        decimalScale={2}
        clampBehavior="strict"
        w={100}
        {...form.getInputProps('search_weight')}
      />
    </>
  );
}
