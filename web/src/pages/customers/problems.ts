import { ApiError } from '../../api/client';
import type { Texts } from '../../i18n';

type Problem = { field: string; problem: string };

/** What the server found wrong with a form, field by field. */
export function fieldProblems(error: unknown, t: Texts): Record<string, string> {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return {};
  const fields = error.details?.fields;
  if (!Array.isArray(fields)) return {};
  const words: Record<string, string> = t.customers.problems;
  return Object.fromEntries(
    (fields as Problem[]).map(({ field, problem }) => [
      // Parts of a list are told as `tags[3]`; the list is one field here.
      field.replace(/[[.].*$/, ''),
      words[problem] ?? t.customers.problems.other,
    ]),
  );
}

/** Whether everything that is wrong stands at a field of the form. */
export function isPlaced(error: unknown, t: Texts, values: object): boolean {
  const fields = Object.keys(fieldProblems(error, t));
  return fields.length > 0 && fields.every((field) => field in values);
}
