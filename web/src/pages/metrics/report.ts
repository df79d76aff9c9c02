import type { Schemas } from '../../api/client';
import type { Texts } from '../../i18n';
import { MEASURES } from './comparison';
import { FIGURES, type FigureName, figure, GROUPS, type Kind, type Point } from './figures';
import type { Money } from './money';

type Row = (string | number)[];

/** A figure as a table has it: a plain number in the unit beside it. */
function plain(kind: Kind, value: number | null | undefined, money: Money): number | '' {
  if (value == null) return '';
  const scaled = kind === 'rate' ? value * 100 : kind === 'money' ? money.units(value) : value;
  return Math.round(scaled * 1e6) / 1e6;
}

const unitOf = (t: Texts, kind: Kind, money: Money) =>
  kind === 'money' ? money.currency : t.metrics.units[kind];

/** Everything that the page shows, row by row. */
export function reportOf(
  t: Texts,
  agent: string,
  now: Point,
  before: Point | undefined,
  comparison: Schemas['Comparison'] | undefined,
  tools: Schemas['ToolStatistics'] | undefined,
  money: Money,
): Row[] {
  const { columns, units, figures, measures } = t.metrics;
  const span = [now.from, now.to];
  const names: Record<string, string> = t.metrics.tools;
  const channels: Record<string, string> = t.customers.channels;
  return [
    [columns.agent, columns.figure, columns.from, columns.to, columns.now, columns.before, columns.unit],
    ...GROUPS.flatMap((group) =>
      group.figures.map((figure) => [
        agent,
        figures[figure.name],
        ...span,
        plain(figure.kind, figure.of(now), money),
        before ? plain(figure.kind, figure.of(before), money) : '',
        unitOf(t, figure.kind, money),
      ]),
    ),
    [agent, t.metrics.helpfulCount, ...span, now.helpful, before?.helpful ?? '', units.count],
    [agent, t.metrics.unhelpfulCount, ...span, now.unhelpful, before?.unhelpful ?? '', units.count],
    ...Object.entries(now.conversations).map(([channel, count]) => [
      agent,
      `${figures.conversations}: ${channels[channel] ?? channel}`,
      ...span,
      count,
      before?.conversations[channel] ?? 0,
      units.count,
    ]),
    ...(tools?.tools ?? []).map((tool) => [
      agent,
      `${columns.tool}: ${names[tool.tool] ?? tool.tool}`,
      ...span,
      tool.calls,
      tools?.before.find((old) => old.tool === tool.tool)?.calls ?? 0,
      units.count,
    ]),
    ...(comparison?.variants ?? []).flatMap((variant) =>
      MEASURES.map((measure) => [
        agent,
        `${variant.variant}: ${measures[measure.name]}`,
        ...span,
        plain(measure.kind, measure.of(variant), money),
        '',
        unitOf(t, measure.kind, money),
      ]),
    ),
  ];
}

/** The same as time goes by, a row for each stretch of it. */
export function courseOf(
  t: Texts,
  agent: string,
  points: Point[],
  before: Schemas['StatisticsSeries'] | undefined,
  money: Money,
): Row[] {
  const names = Object.keys(FIGURES) as FigureName[];
  const { columns, figures } = t.metrics;
  const row = (point: Point) => [
    agent,
    point.from,
    point.to,
    ...names.map((name) => plain(FIGURES[name].kind, figure(name).of(point), money)),
  ];
  const head = names.map((name) => `${figures[name]} (${unitOf(t, FIGURES[name].kind, money)})`);
  return [
    [columns.agent, columns.from, columns.to, ...head],
    ...(before?.points ?? []).map(row),
    ...points.map(row),
  ];
}
