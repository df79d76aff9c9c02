import type { Schemas } from '../../api/client';
import type { Texts } from '../../i18n';
import type { Formats } from '../settings/formats';
import type { Money } from './money';

export type Point = Schemas['SeriesPoint'];
export type Kind = 'count' | 'rate' | 'time' | 'money' | 'bytes';
/** How a figure is written where people read it. */
export type Writers = { formats: Formats; money: Money };
export type Figure = {
  name: keyof Texts['metrics']['figures'];
  kind: Kind;
  of: (point: Point) => number | null | undefined;
  /** Which way is better, where one is. */
  better?: 'more' | 'less';
};
export type Group = { name: keyof Texts['metrics']['groups']; figures: Figure[] };

export const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined);
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** What can be told of a stretch of time, by its name. */
export const FIGURES = {
  turns: { kind: 'count', of: (all) => all.turns },
  answered: { kind: 'rate', of: (all) => share(all.turns - all.unanswered, all.turns), better: 'more' },
  grounded: { kind: 'rate', of: (all) => share(all.grounded, all.turns), better: 'more' },
  escalated: { kind: 'rate', of: (all) => share(all.escalated, all.turns), better: 'less' },
  degraded: { kind: 'rate', of: (all) => share(all.degraded, all.turns), better: 'less' },
  helpful: { kind: 'rate', of: (all) => share(all.helpful, all.helpful + all.unhelpful), better: 'more' },
  p50: { kind: 'time', of: (all) => all.p50_ms, better: 'less' },
  p95: { kind: 'time', of: (all) => all.p95_ms, better: 'less' },
  retrieval: { kind: 'time', of: (all) => all.mean_retrieval_ms, better: 'less' },
  embedding: { kind: 'time', of: (all) => all.mean_embedding_ms, better: 'less' },
  cost: { kind: 'money', of: (all) => all.cost_micros },
  turnCost: { kind: 'money', of: (all) => share(all.cost_micros, all.priced_turns), better: 'less' },
  tokens: {
    kind: 'count',
    of: (all) => share(all.input_tokens + all.output_tokens, all.turns),
    better: 'less',
  },
  inputTokens: { kind: 'count', of: (all) => share(all.input_tokens, all.turns) },
  outputTokens: { kind: 'count', of: (all) => share(all.output_tokens, all.turns) },
  ragUse: { kind: 'rate', of: (all) => share(all.with_knowledge, all.turns) },
  relevance: { kind: 'rate', of: (all) => all.mean_relevance, better: 'more' },
  searches: { kind: 'count', of: (all) => all.searches },
  contextTokens: { kind: 'count', of: (all) => all.mean_context_tokens },
  toolUse: { kind: 'rate', of: (all) => share(all.with_tools, all.turns) },
  conversations: { kind: 'count', of: (all) => sum(all.conversations) },
  handoffs: { kind: 'count', of: (all) => all.handoffs },
  handoffTime: { kind: 'time', of: (all) => all.mean_handoff_ms, better: 'less' },
  documents: { kind: 'count', of: (all) => all.documents },
  storage: { kind: 'bytes', of: (all) => all.document_bytes },
} as const satisfies Record<string, Omit<Figure, 'name'>>;

export type FigureName = keyof typeof FIGURES;
export const figure = (name: FigureName): Figure => ({ name, ...FIGURES[name] });

const group = (name: Group['name'], figures: FigureName[]): Group => ({ name, figures: figures.map(figure) });

export const GROUPS: Group[] = [
  group('answers', ['turns', 'answered', 'grounded', 'helpful', 'degraded']),
  group('people', ['conversations', 'escalated', 'handoffs', 'handoffTime']),
  group('speed', ['p50', 'p95', 'retrieval', 'embedding']),
  group('spending', ['cost', 'turnCost', 'tokens', 'inputTokens', 'outputTokens']),
  group('knowledge', ['ragUse', 'relevance', 'searches', 'contextTokens', 'toolUse', 'documents', 'storage']),
];

export function written(kind: Kind, value: number, { formats, money }: Writers): string {
  if (kind === 'rate') return formats.percent(value);
  if (kind === 'time') return formats.duration(value);
  if (kind === 'bytes') return formats.bytes(value);
  return kind === 'money' ? money.written(value) : formats.number(value);
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
