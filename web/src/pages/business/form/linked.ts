import { changeItem, getItem, type KindName, type PatchOf } from '../catalogue';
import type { Linked } from '../kinds/types';

const pointers = (item: unknown, by: string) => {
  const ids = (item as Record<string, unknown>)[by];
  return Array.isArray(ids) ? (ids as string[]) : [];
};

/** The things that point at an id. */
export function linkedTo(all: { id: string }[], { by }: Linked, id: string): string[] {
  return all.filter((item) => pointers(item, by).includes(id)).map((item) => item.id);
}

/** Has other things point at an id. Each is read anew, because its list is sent whole. */
export async function saveLinked({ kind, by }: Linked, id: string, before: string[], after: string[]) {
  const changed = [
    ...after.filter((one) => !before.includes(one)),
    ...before.filter((one) => !after.includes(one)),
  ];
  for (const other of changed) {
    const others = pointers(await getItem(kind, other), by).filter((one) => one !== id);
    const patch = { [by]: after.includes(other) ? [...others, id] : others } as PatchOf<KindName>;
    await changeItem(kind, other, patch);
  }
}
