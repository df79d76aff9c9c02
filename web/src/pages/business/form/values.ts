import type { Field, Section } from '../kinds/types';

export type Values = Record<string, unknown>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function valueAt(values: Values, name: string): unknown {
  return name.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), values);
}

export function withValue(values: Values, name: string, value: unknown): Values {
  const [key = name, ...rest] = name.split('.');
  if (rest.length === 0) return { ...values, [key]: value };
  const inside = isObject(values[key]) ? values[key] : {};
  return { ...values, [key]: withValue(inside, rest.join('.'), value) };
}

const WRITTEN = ['line', 'text', 'template', 'suggest'] as const;
const isWritten = (field: Field) => WRITTEN.some((editor) => editor === field.editor);

/** What was typed as it is sent: trimmed, and nothing where nothing was written. */
export function cleaned(values: Values, sections: Section[]): Values {
  let clean = values;
  for (const field of sections.flatMap((section) => section.fields).filter(isWritten)) {
    const text = valueAt(values, field.name);
    if (typeof text !== 'string') continue;
    const trimmed = text.trim();
    clean = withValue(clean, field.name, trimmed || field.required ? trimmed : null);
  }
  return clean;
}

/** The JSON merge patch that makes one thing of another. */
export function patchBetween(before: Values, after: Values): Values {
  const patch: Values = {};
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (same(old, value) || (value === undefined && old === undefined)) continue;
    patch[key] = isObject(old) && isObject(value) ? patchBetween(old, value) : (value ?? null);
  }
  for (const key of Object.keys(before)) {
    if (after[key] === undefined && before[key] !== undefined && before[key] !== null) patch[key] = null;
  }
  return patch;
}
