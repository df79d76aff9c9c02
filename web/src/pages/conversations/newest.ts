import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';

/** How often what is new is asked for. */
export const POLL_MS = 30_000;

export type PageOf<T> = { data: T[]; next_cursor?: string | null };
type Known<T> = InfiniteData<PageOf<T>, unknown>;

/**
 * What is known, with what the newest page says in its place. Whatever stands within the reach of that
 * page and is not in it has left the list; what is older stays as it was loaded.
 */
export function withNewest<T extends { id: string }>(
  known: Known<T>,
  newest: PageOf<T>,
  compare: (a: T, b: T) => number,
): Known<T> {
  const alone = { pages: [newest], pageParams: [undefined] };
  const last = newest.data.at(-1);
  if (!newest.next_cursor || !last) return alone;
  const ids = new Set(newest.data.map((row) => row.id));
  const meets = known.pages.some((page) => page.data.some((row) => ids.has(row.id)));
  // More is new than a page holds: what lies between would be missing without a trace.
  if (!meets) return alone;
  const stays = (row: T) => !ids.has(row.id) && compare(row, last) > 0;
  const pages = known.pages.map((page, at) => {
    if (at > 0 && page.data.every(stays)) return page;
    return { ...page, data: [...(at === 0 ? newest.data : []), ...page.data.filter(stays)] };
  });
  return { ...known, pages };
}

/** Keeps the top of a list that is loaded page by page as new as can be, without loading the rest again. */
export function useNewest<T extends { id: string }>({
  listKey,
  newestKey,
  load,
  compare,
  enabled,
  every = POLL_MS,
}: {
  listKey: QueryKey;
  /** Under a name that is read again when something changes, which the list itself is not. */
  newestKey: QueryKey;
  load: () => Promise<PageOf<T>>;
  compare: (a: T, b: T) => number;
  enabled: boolean;
  /** How often it is asked for, in milliseconds. */
  every?: number;
}) {
  const queries = useQueryClient();
  useQuery({
    queryKey: newestKey,
    queryFn: async () => {
      const newest = await load();
      queries.setQueryData<Known<T>>(listKey, (known) => known && withNewest(known, newest, compare));
      return newest.data.length;
    },
    enabled,
    // The list itself has just been loaded.
    initialData: 0,
    staleTime: POLL_MS,
    refetchInterval: every,
  });
}
