import { Badge, Button, Group, Modal, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, once, type Schemas, told } from '../../api/client';
import { language, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { CardLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { agentsOf } from './queries';

const VERTICALS = [
  'general',
  'dental',
  'medical',
  'restaurant',
] as const satisfies readonly Schemas['Vertical'][];

export function AgentsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const agents = useQuery(agentsOf(tenant));
  const [making, { open, close }] = useDisclosure();
  const create = <Button onClick={open}>{t.agents.create}</Button>;
  const empty = agents.data?.data.length === 0;
  return (
    <Page title={t.agents.title} intro={t.agents.intro} actions={empty ? undefined : create}>
      {agents.isError && <FailureNotice error={agents.error} again={agents.refetch} />}
      {agents.isPending && <ListSkeleton />}
      {empty && <EmptyState title={t.agents.emptyTitle} text={t.agents.emptyText} action={create} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {agents.data?.data.map((agent) => (
          <CardLink key={agent.id} to="/t/$tenant/agents/$agent" params={{ tenant, agent: agent.slug }}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600} truncate>
                {agent.name}
              </Text>
              <Group gap={4} wrap="nowrap">
                {agent.active && <Badge variant="light">{t.agents.active}</Badge>}
                {!agent.enabled && (
                  <Badge variant="light" color="ochre">
                    {t.agents.disabled}
                  </Badge>
                )}
              </Group>
            </Group>
            <Text size="sm" c="dimmed">
              {agent.company_name} · {t.agents.verticals[agent.vertical]}
            </Text>
          </CardLink>
        ))}
      </SimpleGrid>
      <Modal opened={making} onClose={close} title={t.agents.create}>
        <NewAgentForm tenant={tenant} />
      </Modal>
    </Page>
  );
}

function NewAgentForm({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', vertical: 'general' as Schemas['Vertical'] } });
  const making = useMutation({
    mutationFn: (values: typeof form.values) =>
      told(
        api.POST('/api/v1/agents', { body: { ...values, language: language() }, params: { header: once() } }),
      ),
    onSuccess: async (agent) => {
      await queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
      await navigate({
        to: '/t/$tenant/agents/$agent',
        params: { tenant, agent: agent.slug },
        search: { tab: 'knowledge' },
      });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t.agents.vertical}
          data={VERTICALS.map((value) => ({ value, label: t.agents.verticals[value] }))}
          allowDeselect={false}
          {...form.getInputProps('vertical')}
        />
        <Button type="submit" loading={making.isPending}>
          {t.agents.create}
        </Button>
      </Stack>
    </form>
  );
}
