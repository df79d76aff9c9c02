import type { Schemas } from '../../../api/client';
import type { Tool } from '../queries';

export type Details = Record<string, unknown>;
export type StepProps = {
  tenant: string;
  step: Schemas['Step'];
  citations: Schemas['Citation'][];
  tools: Tool[];
};
export type ViewProps = StepProps & { details: Details };

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined;
