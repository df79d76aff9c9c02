import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../i18n';
import type { Period } from '../../routes/metrics';
import { type Figure, type FigureName, figure, type Point, type Writers, written } from './figures';

const HEIGHT = 180;
const NOW = 'teal.6';
const OTHER = 'ochre.7';
const BEFORE = 'gray.5';
const CHANNELS = ['teal.6', 'ochre.6', 'blue.6', 'grape.6', 'gray.6', 'pink.6'];

/** What changes as time goes by, each beside the period before. */
const PLOTS: FigureName[] = [
  'turns',
  'answered',
  'helpful',
  'escalated',
  'handoffTime',
  'ragUse',
  'relevance',
  'toolUse',
  'tokens',
  'turnCost',
  'cost',
  'documents',
  'storage',
];

type Series = { now: Point[]; before: Point[] };

export function SeriesPlots({
  series,
  period,
  zone,
  writers,
}: {
  series: Series;
  period: Period;
  zone: string;
  writers: Writers;
}) {
  const t = useTexts();
  const language = useLanguage();
  const when = new Intl.DateTimeFormat(
    language,
    period === 'today'
      ? { hour: 'numeric', timeZone: zone }
      : { day: 'numeric', month: 'short', timeZone: zone },
  );
  const moments = series.now.map((point) => when.format(new Date(point.from)));
  const all = [...series.now, ...series.before];
  const has = (name: FigureName) => all.some((point) => figure(name).of(point));
  const plotted = PLOTS.filter(has);
  const empty = [
    ...(has('p50') ? [] : [t.metrics.plots.speed]),
    ...(has('conversations') ? [] : [t.metrics.plots.channels]),
    ...PLOTS.filter((name) => !has(name)).map((name) => t.metrics.figures[name]),
  ];
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {has('p50') && <SpeedPlot series={series} moments={moments} writers={writers} />}
        {has('conversations') && <ChannelPlot series={series} moments={moments} />}
        {plotted.map((name) => (
          <FigurePlot
            key={name}
            figure={figure(name)}
            title={t.metrics.figures[name]}
            series={series}
            moments={moments}
            writers={writers}
          />
        ))}
      </SimpleGrid>
      {empty.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.metrics.noPlot(empty.join(', '))}
        </Text>
      )}
    </Stack>
  );
}

/** A number as its axis has it. */
const scaled = ({ kind, of }: Figure, point: Point | undefined, { money }: Writers) => {
  const value = point && of(point);
  if (value == null) return null;
  if (kind === 'money') return money.units(value);
  return kind === 'rate' ? Math.round(value * 1000) / 10 : value;
};

function FigurePlot({
  figure: shown,
  title,
  series,
  moments,
  writers,
}: {
  figure: Figure;
  title: string;
  series: Series;
  moments: string[];
  writers: Writers;
}) {
  const t = useTexts();
  const data = moments.map((when, at) => ({
    when,
    now: scaled(shown, series.now[at], writers),
    before: scaled(shown, series.before[at], writers),
  }));
  return (
    <Plot title={title}>
      <LineChart
        h={HEIGHT}
        data={data}
        dataKey="when"
        connectNulls
        withDots={moments.length < 15}
        curveType="monotone"
        yAxisProps={{ width: 56, ...(shown.kind === 'rate' ? { domain: [0, 100] } : {}) }}
        valueFormatter={(value) => told(shown, value, writers)}
        series={[
          { name: 'before', label: t.metrics.columns.before, color: BEFORE, strokeDasharray: '4 4' },
          { name: 'now', label: title, color: NOW },
        ]}
      />
    </Plot>
  );
}

/** The same number as people read it. */
function told({ kind }: Figure, value: number, writers: Writers): string {
  if (kind === 'rate') return `${writers.formats.number(value)} %`;
  if (kind === 'money') return writers.money.told(value);
  return written(kind, value, writers);
}

function SpeedPlot({ series, moments, writers }: { series: Series; moments: string[]; writers: Writers }) {
  const t = useTexts();
  const data = moments.map((when, at) => ({
    when,
    p50: series.now[at]?.p50_ms ?? null,
    p95: series.now[at]?.p95_ms ?? null,
    before: series.before[at]?.p50_ms ?? null,
  }));
  const title = t.metrics.plots.speed;
  return (
    <Plot title={title}>
      <LineChart
        h={HEIGHT}
        data={data}
        dataKey="when"
        connectNulls
        withLegend
        withDots={moments.length < 15}
        yAxisProps={{ width: 56 }}
        valueFormatter={writers.formats.duration}
        series={[
          { name: 'before', label: t.metrics.halfBefore, color: BEFORE, strokeDasharray: '4 4' },
          { name: 'p50', label: t.metrics.half, color: NOW },
          { name: 'p95', label: t.metrics.nearlyAll, color: OTHER },
        ]}
      />
    </Plot>
  );
}

function ChannelPlot({ series, moments }: { series: Series; moments: string[] }) {
  const t = useTexts();
  const channels = [...new Set(series.now.flatMap((point) => Object.keys(point.conversations)))].sort();
  const title = t.metrics.plots.channels;
  const names: Record<string, string> = t.customers.channels;
  const data = moments.map((when, at) => ({ when, ...series.now[at]?.conversations }));
  return (
    <Plot title={title}>
      <BarChart
        h={HEIGHT}
        data={data}
        dataKey="when"
        type="stacked"
        withLegend
        yAxisProps={{ width: 56, allowDecimals: false }}
        series={channels.map((name, at) => ({
          name,
          label: names[name] ?? name,
          color: CHANNELS[at % CHANNELS.length] ?? NOW,
        }))}
      />
    </Plot>
  );
}

function Plot({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} miw={0}>
      <Title order={3} size="h6" mb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
