import { ApiError } from '../api/client';
import type { Texts } from '../i18n';

/** What is wrong, by the name of the field that the server gave: `hours.weekly.monday[0].from`. */
export type Problems = Record<string, string>;

type Field = { field: string; message?: string };

function fieldsOf(error: unknown): Field[] {
  if (!(error instanceof ApiError)) return [];
  const { fields, field } = error.details ?? {};
  if (Array.isArray(fields)) return fields as Field[];
  return error.code === 'ALREADY_EXISTS' && typeof field === 'string' ? [{ field }] : [];
}

/** What the server found wrong with each field, in its words. */
export function problemsOf(error: unknown, t: Texts): Problems {
  const problems: Problems = {};
  for (const { field, message } of fieldsOf(error)) problems[field] ??= message ?? t.settings.problems.taken;
  return problems;
}

/** The problem of a field, or the first of what is inside it. */
export function problemAt(problems: Problems, name: string): string | undefined {
  const inside = Object.keys(problems).find(
    (field) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  return inside === undefined ? undefined : problems[inside];
}

/** Whether all that is wrong stands beside a field of the form, so that nothing has to be said above it. */
export function isShownInPlace(error: unknown, shown: readonly string[]): boolean {
  const fields = fieldsOf(error);
  return fields.length > 0 && fields.every(({ field }) => shown.includes(field));
}
