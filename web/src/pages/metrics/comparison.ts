import type { Schemas } from '../../api/client';
import type { Texts } from '../../i18n';
import type { Kind } from './figures';

type Measure = {
  name: keyof Texts['metrics']['measures'];
  kind: Kind;
  of: (variant: Schemas['VariantMeasures']) => number | null | undefined;
};

/** What the ways of an agent that are tried out are compared by. */
export const MEASURES: Measure[] = [
  { name: 'turns', kind: 'count', of: (variant) => variant.turns },
  { name: 'helpful', kind: 'rate', of: (variant) => variant.helpful_share?.share },
  { name: 'opinions', kind: 'count', of: (variant) => variant.helpful + variant.unhelpful },
  { name: 'escalated', kind: 'rate', of: (variant) => variant.escalation_rate },
  { name: 'degraded', kind: 'rate', of: (variant) => variant.degraded_rate },
  { name: 'p50', kind: 'time', of: (variant) => variant.p50_ms },
  { name: 'p95', kind: 'time', of: (variant) => variant.p95_ms },
  { name: 'tokens', kind: 'count', of: (variant) => variant.mean_tokens },
  { name: 'cost', kind: 'money', of: (variant) => variant.mean_cost_micros },
  { name: 'tools', kind: 'count', of: (variant) => variant.tools_per_turn },
];
