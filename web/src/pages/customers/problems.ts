import type { Texts } from '../../i18n';
import { type Problems, problemsOf } from '../../parts/problems';

/** What the server found wrong with a form, where a list such as `tags[3]` is one field. */
export function fieldProblems(error: unknown, t: Texts): Problems {
  const told = Object.entries(problemsOf(error, t)).toReversed();
  return Object.fromEntries(told.map(([field, text]) => [field.replace(/[[.].*$/, ''), text]));
}

/** Whether everything that is wrong stands at a field of the form. */
export function isPlaced(error: unknown, t: Texts, values: object): boolean {
  const fields = Object.keys(fieldProblems(error, t));
  return fields.length > 0 && fields.every((field) => field in values);
}
