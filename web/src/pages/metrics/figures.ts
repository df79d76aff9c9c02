import type { Schemas } from '../../api/client';
import type { Texts } from '../../i18n';
import type { Formats } from '../settings/formats';

type Statistics = Schemas['AgentStatistics'];
export type Kind = 'count' | 'rate' | 'time' | 'dollars';
export type Figure = {
  name: keyof Texts['metrics']['figures'];
  kind: Kind;
  of: (statistics: Statistics) => number | null | undefined;
  /** Which way is better, where one is. */
  better?: 'more' | 'less';
  /** It counts from the beginning, whatever the period. */
  total?: true;
};
export type Group = { name: keyof Texts['metrics']['groups']; figures: Figure[] };

const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined);

export const GROUPS: Group[] = [
  {
    name: 'answers',
    figures: [
      { name: 'turns', kind: 'count', of: (all) => all.turns },
      { name: 'grounded', kind: 'rate', of: (all) => all.grounded_rate, better: 'more' },
      { name: 'escalated', kind: 'rate', of: (all) => all.escalation_rate, better: 'less' },
      { name: 'degraded', kind: 'rate', of: (all) => all.degraded_rate, better: 'less' },
      {
        name: 'helpful',
        kind: 'rate',
        of: (all) => share(all.helpful, all.helpful + all.unhelpful),
        better: 'more',
      },
    ],
  },
  {
    name: 'speed',
    figures: [
      { name: 'p50', kind: 'time', of: (all) => all.p50_ms, better: 'less' },
      { name: 'p95', kind: 'time', of: (all) => all.p95_ms, better: 'less' },
      { name: 'retrieval', kind: 'time', of: (all) => all.mean_retrieval_ms, better: 'less' },
      { name: 'embedding', kind: 'time', of: (all) => all.mean_embedding_ms, better: 'less' },
    ],
  },
  {
    name: 'spending',
    figures: [
      { name: 'cost', kind: 'dollars', of: (all) => all.cost_micros },
      {
        name: 'turnCost',
        kind: 'dollars',
        of: (all) => share(all.cost_micros, all.priced_turns),
        better: 'less',
      },
      { name: 'tokens', kind: 'count', of: (all) => all.mean_tokens, better: 'less' },
      { name: 'inputTokens', kind: 'count', of: (all) => all.mean_input_tokens },
      { name: 'outputTokens', kind: 'count', of: (all) => all.mean_output_tokens },
    ],
  },
  {
    name: 'knowledge',
    figures: [
      { name: 'ragUse', kind: 'rate', of: (all) => all.rag_use_rate },
      { name: 'relevance', kind: 'rate', of: (all) => all.mean_relevance, better: 'more' },
      { name: 'searches', kind: 'count', of: (all) => all.searches },
      { name: 'contextTokens', kind: 'count', of: (all) => all.mean_context_tokens },
      { name: 'toolUse', kind: 'rate', of: (all) => all.tool_use_rate },
      { name: 'prompts', kind: 'count', of: (all) => all.prompt_regenerations, total: true },
    ],
  },
];

export function written(kind: Kind, value: number, formats: Formats): string {
  if (kind === 'rate') return formats.percent(value);
  if (kind === 'time') return formats.duration(value);
  return kind === 'dollars' ? formats.dollars(value) : formats.number(value);
}

export type Change = { text: string; up: boolean; mood: 'better' | 'worse' | 'neutral' };

/** How a figure moved: rates by points of a hundred, all else by its share of what it was. */
export function changeOf(
  { kind, better }: Figure,
  now: number,
  before: number,
  formats: Formats,
  points: (text: string) => string,
): Change | undefined {
  const step = kind === 'rate' ? now - before : before > 0 ? now / before - 1 : undefined;
  if (step === undefined) return undefined;
  const isStill = Math.abs(step) < 0.005;
  if (isStill) return { text: '=', up: false, mood: 'neutral' };
  const up = step > 0;
  const text = kind === 'rate' ? points(formats.signed(step * 100)) : formats.change(step);
  const mood = !better ? 'neutral' : up === (better === 'more') ? 'better' : 'worse';
  return { text, up, mood };
}
