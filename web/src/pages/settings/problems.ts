import { ApiError } from '../../api/client';
import type { Texts } from '../../i18n';

type Field = { field: string; problem: string };

function fieldsOf(error: unknown): Field[] {
  if (!(error instanceof ApiError)) return [];
  const { fields, field } = error.details ?? {};
  if (Array.isArray(fields)) return fields as Field[];
  if (error.code === 'ALREADY_EXISTS' && typeof field === 'string') return [{ field, problem: 'taken' }];
  return [];
}

/** What the server found wrong, by the name of the field it belongs to. */
export function fieldProblems(error: unknown, t: Texts): Record<string, string> {
  const known: Record<string, string> = t.settings.problems;
  return Object.fromEntries(
    fieldsOf(error).map(({ field, problem }) => [field, known[problem] ?? t.settings.problems.other]),
  );
}

/** Whether all that is wrong stands beside a field of the form, so that nothing has to be said above it. */
export function isShownInPlace(error: unknown, shown: readonly string[]): boolean {
  const fields = fieldsOf(error);
  return fields.length > 0 && fields.every(({ field }) => shown.includes(field));
}
