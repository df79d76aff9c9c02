import { Button, Group, NumberInput, Select, Stack, Table, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { failed } from '../../parts/notify';
import { ListSkeleton } from '../../parts/skeletons';
import { agentsOf } from '../agents/queries';

/** Which agents read a knowledge base, and how much it counts with each. */
export function AssignedAgents({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = [tenant, 'bases', kb, 'assignments'];
  const agents = useQuery(agentsOf(tenant));
  const path = { kb_id: kb };
  const assigned = useQuery({
    queryKey: key,
    queryFn: () => told(api.GET('/api/v1/knowledge-bases/{kb_id}/assignments', { params: { path } })),
  });
  const again = () => queries.invalidateQueries({ queryKey: key });
  const form = useForm({ initialValues: { agent: '', priority: 1, search_weight: 1 } });
  const assigning = useMutation({
    mutationFn: ({ agent, priority, search_weight }: typeof form.values) =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/assignments', {
          params: { path },
          body: { agent, priority, search_weight },
        }),
      ),
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
  const name = (id: string) => agents.data?.data.find((agent) => agent.id === id)?.name ?? id;
  if (assigned.isPending) return <ListSkeleton rows={2} />;
  if (assigned.isError) return <FailureNotice error={assigned.error} again={assigned.refetch} />;
  return (
    <Stack>
      {assigned.data.length === 0 && <Text c="dimmed">{t.knowledge.nobody}</Text>}
      {assigned.data.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.knowledge.agent}</Table.Th>
              <Table.Th>{t.knowledge.priority}</Table.Th>
              <Table.Th>{t.knowledge.weight}</Table.Th>
              <Table.Th aria-label={t.knowledge.unassign} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {assigned.data.map((one) => (
              <Table.Tr key={one.agent_id}>
                <Table.Td>{name(one.agent_id)}</Table.Td>
                <Table.Td>{one.priority}</Table.Td>
                <Table.Td>{one.search_weight}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    onClick={() => removing.mutate(one.agent_id)}
                  >
                    {t.knowledge.unassign}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <form onSubmit={form.onSubmit((values) => assigning.mutate(values))}>
        <Group align="flex-end" gap="xs">
          <Select
            label={t.knowledge.agent}
            data={agents.data?.data.map((agent) => ({ value: agent.id, label: agent.name })) ?? []}
            required
            {...form.getInputProps('agent')}
          />
          <NumberInput
            label={t.knowledge.priority}
            min={1}
            max={1000}
            w={110}
            {...form.getInputProps('priority')}
          />
          <NumberInput
            label={t.knowledge.weight}
            min={0}
            max={10}
            step={0.1}
            decimalScale={2}
            w={110}
            {...form.getInputProps('search_weight')}
          />
          <Button type="submit" loading={assigning.isPending}>
            {t.knowledge.assign}
          </Button>
        </Group>
        {assigning.isError && <FailureNotice error={assigning.error} />}
      </form>
    </Stack>
  );
}
