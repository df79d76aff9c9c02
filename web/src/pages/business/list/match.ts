import type { ItemOf, KindName } from '../catalogue';
import type { Kind } from '../kinds/types';

type Item = ItemOf<KindName>;
type Loose = Record<string, unknown>;

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const HIDDEN = ['id', 'warnings', 'created_at', 'updated_at', 'hours'];

/** All that is written in a thing. */
function textOf(item: Item): string {
  const words = Object.entries(item as unknown as Loose)
    .filter(([field]) => !HIDDEN.includes(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string');
  return folded(words.join('\n'));
}

export const groupOf = (item: Item, kind: Kind): string | undefined => {
  const value = kind.group && (item as unknown as Loose)[kind.group.field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What has every word that is looked for, with or without accents. */
export function found(items: Item[], kind: Kind, q: string | undefined, group: string | undefined): Item[] {
  const words = folded(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  return items.filter((item) => {
    if (group && groupOf(item, kind) !== group) return false;
    const text = words.length > 0 ? textOf(item) : '';
    return words.every((word) => text.includes(word));
  });
}

export const nameOf = (item: Item, kind: Kind) => String((item as unknown as Loose)[kind.title] ?? '');

/** Where the business wants it, else by name, with 2 before 10. */
export function inOrder(items: Item[], kind: Kind): Item[] {
  const place = kind.place ?? (() => 0);
  return items.toSorted(
    (a, b) =>
      place(a) - place(b) || nameOf(a, kind).localeCompare(nameOf(b, kind), undefined, { numeric: true }),
  );
}
