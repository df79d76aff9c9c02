import { Group, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { ButtonLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { PERIODS, type Period } from '../../routes/metrics';
import { agentsOf } from '../agents/queries';
import { RestrictedPage, Trouble } from '../settings/parts/refusal';
import { PeriodFigures } from './agent';
import { MonthUsage } from './month';

export function MetricsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage tenant={tenant} needs="usage:read" title={t.metrics.title} intro={t.metrics.intro}>
      <Overview tenant={tenant} />
    </RestrictedPage>
  );
}

function Overview({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/figures' });
  const { agent: wanted, period = '7d' } = useSearch({ from: '/inside/t/$tenant/figures' });
  const agents = useQuery(agentsOf(tenant));
  if (agents.isPending) return <ListSkeleton />;
  if (agents.isLoadingError) return <Trouble error={agents.error} again={agents.refetch} />;
  const all = agents.data.data;
  const found = all.find((one) => one.slug === wanted || one.id === wanted);
  const agent = found ?? (all.length === 1 ? all[0] : undefined);
  if (all.length === 0)
    return (
      <EmptyState
        title={t.agents.emptyTitle}
        text={t.agents.emptyText}
        action={
          <ButtonLink to="/t/$tenant/agents" params={{ tenant }}>
            {t.agents.create}
          </ButtonLink>
        }
      />
    );
  return (
    <>
      <Group gap="sm">
        <Select
          aria-label={t.metrics.agent}
          data={[
            ...(all.length > 1 ? [{ value: '', label: t.metrics.allAgents }] : []),
            ...all.map((one) => ({ value: one.slug, label: one.name })),
          ]}
          value={agent?.slug ?? ''}
          allowDeselect={false}
          searchable={all.length > 8}
          w={{ base: '100%', xs: 220 }}
          onChange={(slug) => navigate({ search: (old) => ({ ...old, agent: slug || undefined }) })}
        />
        <SegmentedControl
          aria-label={t.metrics.period}
          data={PERIODS.map((value) => ({ value, label: t.metrics.periods[value] }))}
          value={period}
          onChange={(value) => navigate({ search: (old) => ({ ...old, period: value as Period }) })}
        />
      </Group>
      <PeriodFigures key={agent?.id ?? 'all'} tenant={tenant} agent={agent} period={period} />
      <MonthUsage tenant={tenant} />
    </>
  );
}
