import { ApiError } from '../../../api/client';

/** What is wrong, by the name of the field that the server gave: `hours.weekly.monday[0].from`. */
export type Problems = Record<string, string>;

/** The sentences of each field stand in the message alone, in order and with semicolons between them. */
export function problemsOf(error: unknown, title: string): Problems {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'ALREADY_EXISTS') return { [title]: error.message };
  const named = error.details?.fields;
  if (!Array.isArray(named)) return {};
  const fields = named.map((one) => String((one as { field?: unknown }).field ?? ''));
  const problems: Problems = {};
  let from = 0;
  fields.forEach((field, at) => {
    const start = error.message.indexOf(`${field} `, from);
    if (start < 0) return;
    const next = fields[at + 1];
    const end = next === undefined ? -1 : error.message.indexOf(`; ${next} `, start);
    const text = error.message.slice(start + field.length + 1, end < 0 ? undefined : end);
    from = end < 0 ? start : end;
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.?$/, '.');
    problems[field] ??= sentence;
  });
  return problems;
}

/** The problem of a field, or the first of what is inside it. */
export function problemAt(problems: Problems, name: string): string | undefined {
  const inside = Object.keys(problems).find(
    (field) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  return inside === undefined ? undefined : problems[inside];
}
