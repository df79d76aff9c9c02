import type { Texts } from '../../../i18n';

/** What of a JSON schema a person is told. */
type Schema = {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

export type Parameter = {
  name: string;
  required: boolean;
  kind: string;
  description: string | undefined;
  /** What the entries of a list, or data inside, are made of. */
  inside: Parameter[];
};

function kindOf(schema: Schema, t: Texts): string {
  const words = t.agents.tools;
  const names: Record<string, string> = words.kinds;
  if (schema.enum) return schema.enum.map(String).join(' | ');
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types[0] === 'array' && schema.items) return words.listOf(kindOf(schema.items, t));
  return types.map((type) => names[type] ?? type).join(' | ');
}

function limitsOf(schema: Schema, t: Texts): string[] {
  const words = t.agents.tools;
  const { minimum, maximum, default: usual } = schema;
  const limits: string[] = [];
  if (minimum !== undefined && maximum !== undefined)
    limits.push(words.between(String(minimum), String(maximum)));
  else if (maximum !== undefined) limits.push(words.atMost(String(maximum)));
  if (usual !== undefined && usual !== null && typeof usual !== 'object')
    limits.push(words.byDefault(String(usual)));
  return limits;
}

/** The parameters that a schema describes, those that are needed first. */
export function parametersOf(schema: Schema, t: Texts): Parameter[] {
  const required = schema.required ?? [];
  const all = Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    required: required.includes(name),
    kind: [kindOf(one, t), ...limitsOf(one, t)].filter(Boolean).join(', '),
    description: one.description,
    inside: parametersOf(one.items ?? one, t),
  }));
  return all.toSorted((a, b) => Number(b.required) - Number(a.required));
}
