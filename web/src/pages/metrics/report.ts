import type { Schemas } from '../../api/client';
import type { Texts } from '../../i18n';
import { MEASURES } from './comparison';
import { GROUPS, type Kind } from './figures';

type Statistics = Schemas['AgentStatistics'];

/** A figure as a table has it: a plain number in the unit beside it. */
function plain(kind: Kind, value: number | null | undefined): number | '' {
  if (value == null) return '';
  const scaled = kind === 'rate' ? value * 100 : kind === 'dollars' ? value / 1_000_000 : value;
  return Math.round(scaled * 1e6) / 1e6;
}

/** Everything that the page shows of an agent, row by row. */
export function reportOf(
  t: Texts,
  agent: string,
  now: Statistics,
  before: Statistics | undefined,
  comparison: Schemas['Comparison'] | undefined,
): (string | number)[][] {
  const { columns, units, figures, measures } = t.metrics;
  const span = [now.from, now.to];
  return [
    [columns.agent, columns.figure, columns.from, columns.to, columns.now, columns.before, columns.unit],
    ...GROUPS.flatMap((group) =>
      group.figures.map((figure) => [
        agent,
        figures[figure.name],
        ...span,
        plain(figure.kind, figure.of(now)),
        before && !figure.total ? plain(figure.kind, figure.of(before)) : '',
        units[figure.kind],
      ]),
    ),
    [agent, t.metrics.helpfulCount, ...span, now.helpful, before?.helpful ?? '', units.count],
    [agent, t.metrics.unhelpfulCount, ...span, now.unhelpful, before?.unhelpful ?? '', units.count],
    ...(comparison?.variants ?? []).flatMap((variant) =>
      MEASURES.map((measure) => [
        agent,
        `${variant.variant}: ${measures[measure.name]}`,
        ...span,
        plain(measure.kind, measure.of(variant)),
        '',
        units[measure.kind],
      ]),
    ),
  ];
}
