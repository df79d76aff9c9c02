import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { arrivingOf } from './queries';

type Ids = ReadonlySet<string>;
const NONE: Ids = new Set();

/** Orders that came in since anybody last touched the board, by tenant. */
const unseen = new Map<string, Ids>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(tenant: string, ids: Ids) {
  if (ids.size === 0 && !unseen.has(tenant)) return;
  if (ids.size === 0) unseen.delete(tenant);
  else unseen.set(tenant, ids);
  for (const listener of listeners) listener();
}

export function useUnseen(tenant: string): Ids {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => unseen.get(tenant) ?? NONE, [tenant]),
  );
}

/** Notes what comes in while the pages are open. The first that are found are not new. */
export function useArrivals(tenant: string, came: () => void) {
  const page = useQuery(arrivingOf(tenant)).data;
  const known = useRef<{ ids: Set<string>; oldest: string }>(undefined);
  const told = useRef(came);
  told.current = came;
  useEffect(() => {
    if (!page) return;
    const ids = page.data.map(({ id }) => id);
    const before = known.current;
    if (!before) {
      // Ids grow with time: what is older was only out of reach.
      const oldest = page.next_cursor ? (ids.toSorted()[0] ?? '') : '';
      known.current = { ids: new Set(ids), oldest };
      return;
    }
    const fresh = ids.filter((id) => id > before.oldest && !before.ids.has(id));
    // What somebody took further meanwhile is not waiting for anybody.
    const waiting = [...(unseen.get(tenant) ?? NONE)].filter((id) => ids.includes(id));
    for (const id of fresh) before.ids.add(id);
    keep(tenant, new Set([...waiting, ...fresh]));
    if (fresh.length > 0) told.current();
  }, [page, tenant]);
}

/** Whoever touches the board has seen what is on it. */
export function useSeeing(tenant: string) {
  useEffect(() => {
    const look = () => keep(tenant, NONE);
    window.addEventListener('pointerdown', look);
    window.addEventListener('keydown', look);
    return () => {
      window.removeEventListener('pointerdown', look);
      window.removeEventListener('keydown', look);
    };
  }, [tenant]);
}
