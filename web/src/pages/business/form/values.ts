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

/** The JSON merge patch that makes one thing of another. What means something only as a whole is sent whole. */
export function patchBetween(before: Values, after: Values, whole: readonly string[] = []): Values {
  const patch: Values = {};
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (same(old, value) || (value === undefined && old === undefined)) continue;
    const isInside = isObject(old) && isObject(value) && !whole.includes(key);
    patch[key] = isInside ? patchBetween(old, value, whole) : (value ?? null);
  }
  for (const key of Object.keys(before)) {
    if (after[key] === undefined && before[key] !== undefined && before[key] !== null) patch[key] = null;
  }
  return patch;
}

/** What was typed, over what others wrote since into the fields that were not touched. */
export function overNewest(before: Values, typed: Values, newest: Values): Values {
  const all = { ...newest };
  for (const [key, value] of Object.entries(typed)) {
    const old = before[key];
    if (same(old, value)) continue;
    const now = newest[key];
    all[key] = isObject(old) && isObject(value) && isObject(now) ? overNewest(old, value, now) : value;
  }
  return all;
}
