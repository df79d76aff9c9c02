import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { ButtonLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { Period } from '../../routes/metrics';
import { useFormats } from '../settings/formats';
import { Trouble } from '../settings/parts/refusal';
import { tenantOf } from '../settings/queries';
import { FigureGroup } from './cards';
import { saveCsv } from './csv';
import { GROUPS } from './figures';
import { RecentLogs } from './logs';
import { useMoney } from './money';
import { SeriesPlots } from './plots';
import { ProviderStates } from './providers';
import { comparisonOf, seriesOf, toolsOf } from './queries';
import { courseOf, reportOf } from './report';
import { ToolTable } from './tools';
import { VariantTable } from './variants';

/** How one agent or all of them do in a period, beside the period before. */
export function PeriodFigures({
  tenant,
  agent,
  period,
}: {
  tenant: string;
  /** All of them when there is none. */
  agent: Schemas['Agent'] | undefined;
  period: Period;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const writers = { formats, money: useMoney(tenant) };
  const zone = useQuery(tenantOf(tenant)).data?.time_zone;
  const known = { enabled: zone !== undefined };
  const here = zone ?? 'UTC';
  const now = useQuery({ ...seriesOf(tenant, agent?.slug, period, here, 'now'), ...known });
  const before = useQuery({ ...seriesOf(tenant, agent?.slug, period, here, 'before'), ...known });
  const tools = useQuery({ ...toolsOf(tenant, agent?.slug, period, here), ...known });
  const compared = useQuery({
    ...comparisonOf(tenant, agent?.slug ?? '', period, here),
    enabled: known.enabled && agent !== undefined,
  });
  const talk = agent && (
    <ButtonLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: agent.slug }}>
      {t.metrics.talk(agent.name)}
    </ButtonLink>
  );
  if (now.isLoadingError) return <Trouble error={now.error} again={now.refetch} />;
  if (now.isPending || before.isPending) return <ListSkeleton rows={6} />;
  const { total } = now.data;
  const old = before.data?.total;
  const isQuiet = total.turns + total.searches + Object.keys(total.conversations).length === 0;
  const wasQuiet = (old?.turns ?? 0) === 0;
  const hasVariants = (compared.data?.variants.length ?? 0) > 0;
  const name = agent?.name ?? t.metrics.allAgents;
  const save = (what: string, rows: (string | number)[][]) =>
    saveCsv(`${agent?.slug ?? tenant}-${what}-${period}-${total.to.slice(0, 10)}.csv`, rows);
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {t.metrics.span(formats.span(total.from, total.to))}
          {old && t.metrics.against(formats.span(old.from, old.to))}
        </Text>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default">
              {t.metrics.download}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                save('figures', reportOf(t, name, total, old, compared.data, tools.data, writers.money))
              }
            >
              {t.metrics.downloadFigures}
            </Menu.Item>
            <Menu.Item
              onClick={() => save('course', courseOf(t, name, now.data.points, before.data, writers.money))}
            >
              {t.metrics.downloadCourse}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {before.isError && <Trouble error={before.error} again={before.refetch} />}
      {isQuiet && <EmptyState title={t.metrics.quiet} text={t.metrics.quietText} action={talk} />}
      {!(isQuiet && wasQuiet) &&
        GROUPS.map((group) => (
          <FigureGroup key={group.name} group={group} now={total} before={old} writers={writers} />
        ))}
      {!isQuiet && zone && (
        <SeriesPlots
          series={{ now: now.data.points, before: before.data?.points ?? [] }}
          period={period}
          zone={zone}
          writers={writers}
        />
      )}
      {tools.isError && <Trouble error={tools.error} again={tools.refetch} />}
      {tools.data && <ToolTable used={tools.data} formats={formats} />}
      {compared.isError && <Trouble error={compared.error} again={compared.refetch} />}
      {compared.data && hasVariants && <VariantTable comparison={compared.data} writers={writers} />}
      <ProviderStates tenant={tenant} />
      {agent && <RecentLogs tenant={tenant} agent={agent} formats={formats} talk={talk} />}
    </Stack>
  );
}
