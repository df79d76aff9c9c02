import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { Paper, SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../i18n';
import { ListSkeleton } from '../../parts/skeletons';
import type { Period } from '../../routes/metrics';
import { Trouble } from '../settings/parts/refusal';
import { seriesOf } from './queries';

const HEIGHT = 200;

/** What changes as time goes by, each as its own small plot. */
export function SeriesPlots({
  tenant,
  agent,
  period,
  zone,
}: {
  tenant: string;
  agent: string;
  period: Period;
  zone: string;
}) {
  const t = useTexts();
  const language = useLanguage();
  const series = useQuery(seriesOf(tenant, agent, period, zone));
  if (series.isError) return <Trouble error={series.error} again={series.refetch} />;
  if (series.isPending) return <ListSkeleton rows={4} />;
  const when = new Intl.DateTimeFormat(
    language,
    period === 'today'
      ? { hour: 'numeric', timeZone: zone }
      : { day: 'numeric', month: 'short', timeZone: zone },
  );
  const share = (part: number, whole: number) => (whole > 0 ? Math.round((1000 * part) / whole) / 10 : null);
  const data = series.data.points.map((point) => ({
    when: when.format(new Date(point.from)),
    turns: point.turns,
    grounded: share(point.grounded, point.turns),
    escalated: share(point.escalated, point.turns),
    p50: point.p50_ms ?? null,
    p95: point.p95_ms ?? null,
    cost: point.cost_micros / 1_000_000,
  }));
  const { figures } = t.metrics;
  const common = { h: HEIGHT, data, dataKey: 'when', withLegend: true } as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Plot title={t.metrics.plots.turns}>
        <BarChart {...common} series={[{ name: 'turns', label: figures.turns, color: 'teal.6' }]} />
      </Plot>
      <Plot title={t.metrics.plots.shares}>
        <LineChart
          {...common}
          unit=" %"
          connectNulls
          yAxisProps={{ domain: [0, 100] }}
          series={[
            { name: 'grounded', label: figures.grounded, color: 'teal.6' },
            { name: 'escalated', label: figures.escalated, color: 'ochre.7' },
          ]}
        />
      </Plot>
      <Plot title={t.metrics.plots.speed}>
        <LineChart
          {...common}
          unit=" ms"
          connectNulls
          series={[
            { name: 'p50', label: figures.p50, color: 'teal.6' },
            { name: 'p95', label: figures.p95, color: 'ochre.7' },
          ]}
        />
      </Plot>
      <Plot title={t.metrics.plots.cost}>
        <BarChart
          {...common}
          unit=" US$"
          series={[{ name: 'cost', label: figures.cost, color: 'ochre.7' }]}
        />
      </Plot>
    </SimpleGrid>
  );
}

function Plot({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={3} size="h6" mb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
