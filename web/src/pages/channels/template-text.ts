const HOLE = /\{\{\s*(\d+)\s*\}\}/g;

/** How many values a template takes: as many as its highest number says. */
export function holesOf(body: string): number {
  const numbers = [...body.matchAll(HOLE)].map(([, number]) => Number(number));
  return Math.max(0, ...numbers);
}

/** The body with what fills it; an empty value leaves its number to be seen. */
export const filled = (body: string, values: readonly string[]) =>
  body.replace(HOLE, (hole, number: string) => values[Number(number) - 1]?.trim() || hole);

/** A template is told by its name and its language: the same name is there in several. */
export const templateKey = ({ name, language }: { name: string; language: string }) => `${language} ${name}`;

export const isApproved = ({ status }: { status: string }) => status.toUpperCase() === 'APPROVED';
