import { Badge, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api, type Schemas, told } from '../../api/client';
import { language, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { CardLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { useOnce } from '../settings/once';
import { matcher, SearchBox } from '../settings/parts/search-box';
import { useRights } from '../settings/rights';
import { kindOf } from '../starting';
import { problemsOf, useGuard } from './forms';
import { type Agent, agentPages } from './queries';
import { VERTICALS } from './settings/values';

/** Fewer can be looked over at once. */
const MANY = 6;

export function AgentsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { q } = useSearch({ from: '/inside/t/$tenant/agents' });
  const navigate = useNavigate({ from: '/t/$tenant/agents' });
  const { may } = useRights(tenant);
  const agents = useInfiniteQuery(agentPages(tenant));
  const [making, { open, close }] = useDisclosure();
  const create = may('agents:write') ? <Button onClick={open}>{t.agents.create}</Button> : undefined;
  const all = agents.data?.pages.flatMap((page) => page.data) ?? [];
  const matches = matcher<Agent>(q, (agent) => `${agent.name} ${agent.company_name} ${agent.slug}`);
  const shown = matches ? all.filter(matches) : all;
  const empty = agents.isSuccess && all.length === 0;
  return (
    <Page title={t.agents.title} intro={t.agents.intro} actions={empty ? undefined : create}>
      {agents.isError && <FailureNotice error={agents.error} again={agents.refetch} />}
      {agents.isPending && <ListSkeleton />}
      {empty && <EmptyState title={t.agents.emptyTitle} text={t.agents.emptyText} action={create} />}
      {(all.length >= MANY || q) && (
        <SearchBox
          value={q}
          change={(words) => navigate({ search: words ? { q: words } : {}, replace: true })}
        />
      )}
      {all.length > 0 && shown.length === 0 && (
        <EmptyState title={t.agents.nothingFound} text={t.agents.nothingFoundText} />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map((agent) => (
          <AgentCard key={agent.id} tenant={tenant} agent={agent} />
        ))}
      </SimpleGrid>
      {agents.hasNextPage && (
        <Button variant="default" onClick={() => agents.fetchNextPage()} loading={agents.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
      <GuardedDialog opened={making} onClose={close} title={t.agents.create}>
        <NewAgentForm tenant={tenant} />
      </GuardedDialog>
    </Page>
  );
}

function AgentCard({ tenant, agent }: { tenant: string; agent: Agent }) {
  const t = useTexts();
  const { model } = agent.settings;
  return (
    <CardLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: agent.slug }}>
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
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {model.provider === 'builtin' ? t.agents.model.providers.builtin : `${model.provider}/${model.model}`}
      </Text>
    </CardLink>
  );
}

function NewAgentForm({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '', vertical: kindOf(tenant, VERTICALS) ?? ('general' as Schemas['Vertical']) },
  });
  const letGo = useGuard(() => form.isDirty());
  const key = useOnce();
  const making = useMutation({
    mutationFn: (values: typeof form.values) => {
      const body = { ...values, language: language() };
      return told(api.POST('/api/v1/agents', { body, params: { header: key.header(body) } }));
    },
    onError: (error) => form.setErrors(problemsOf(error, t)),
    onSuccess: async (agent) => {
      letGo();
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
          {t.agents.make}
        </Button>
      </Stack>
    </form>
  );
}
