import { Button, Group, Stack, Text } from '@mantine/core';
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
import { SeriesPlots } from './plots';
import { comparisonOf, statisticsOf } from './queries';
import { reportOf } from './report';
import { VariantTable } from './variants';

/** How one agent does in a period, beside the period before. */
export function AgentFigures({
  tenant,
  agent,
  period,
}: {
  tenant: string;
  agent: Schemas['Agent'];
  period: Period;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const zone = useQuery(tenantOf(tenant)).data?.time_zone;
  const known = { enabled: zone !== undefined };
  const now = useQuery({ ...statisticsOf(tenant, agent.slug, period, zone ?? 'UTC', 'now'), ...known });
  const before = useQuery({ ...statisticsOf(tenant, agent.slug, period, zone ?? 'UTC', 'before'), ...known });
  const compared = useQuery({ ...comparisonOf(tenant, agent.slug, period, zone ?? 'UTC'), ...known });
  const talk = (
    <ButtonLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: agent.slug }}>
      {t.metrics.talk(agent.name)}
    </ButtonLink>
  );
  if (now.isError) return <Trouble error={now.error} again={now.refetch} />;
  if (now.isPending || before.isPending) return <ListSkeleton rows={6} />;
  const isQuiet = now.data.turns + now.data.searches === 0;
  const hasVariants = (compared.data?.variants.length ?? 0) > 0;
  const download = () =>
    saveCsv(
      `${agent.slug}-${period}-${now.data.to.slice(0, 10)}.csv`,
      reportOf(t, agent.name, now.data, before.data, compared.data),
    );
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {t.metrics.span(formats.span(now.data.from, now.data.to))}
          {before.data && t.metrics.against(formats.span(before.data.from, before.data.to))}
        </Text>
        <Button size="xs" variant="default" onClick={download}>
          {t.metrics.download}
        </Button>
      </Group>
      {before.isError && <Trouble error={before.error} again={before.refetch} />}
      {isQuiet && <EmptyState title={t.metrics.quiet} text={t.metrics.quietText} action={talk} />}
      {(!isQuiet || (before.data?.turns ?? 0) > 0) &&
        GROUPS.map((group) => (
          <FigureGroup key={group.name} group={group} now={now.data} before={before.data} formats={formats} />
        ))}
      {!isQuiet && zone && <SeriesPlots tenant={tenant} agent={agent.slug} period={period} zone={zone} />}
      {compared.isError && <Trouble error={compared.error} again={compared.refetch} />}
      {compared.data && hasVariants && <VariantTable comparison={compared.data} formats={formats} />}
      <RecentLogs tenant={tenant} agent={agent} formats={formats} talk={talk} />
    </Stack>
  );
}
