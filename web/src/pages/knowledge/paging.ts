import { type UseQueryOptions, useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** How many things the server tells at once; a page of documents weighs about 100 kB. */
export const PAGE = 100;
/** Rows that stand for what is on its way. */
const COMING = 6;

type Page<T> = { data: T[]; next_cursor?: string | null };
type KnownPage = { cursor: string | undefined; size: number };

/**
 * The things in sight and a page around them, however many there are. Only these are asked for again when
 * something changes.
 */
export function usePagesInSight<T>(pageAt: (cursor: string | undefined) => UseQueryOptions<Page<T>>) {
  const [known, setKnown] = useState<KnownPage[]>([{ cursor: undefined, size: COMING }]);
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const from = Math.max(0, Math.min(sight.first - 1, known.length - 1));
  const active = known.slice(from, sight.last + 2);
  const results = useQueries({ queries: active.map(({ cursor }) => pageAt(cursor)) });
  const loaded = new Map(results.map(({ data }, at) => [from + at, data]));
  // Where a page ends is where the next begins, so that each is known by the one before it.
  useEffect(() => {
    setKnown((before) => {
      let next = before;
      for (const [at, page] of loaded) {
        const here = next[at];
        if (!page || !here) continue;
        const after = page.next_cursor ?? undefined;
        const follows = next[at + 1];
        if (here.size === page.data.length && follows?.cursor === after) continue;
        next = [
          ...next.slice(0, at),
          { ...here, size: page.data.length },
          ...(after === undefined
            ? []
            : follows?.cursor === after
              ? next.slice(at + 1)
              : [{ cursor: after, size: COMING }]),
        ];
      }
      return next;
    });
  });
  const count = known.reduce((sum, { size }) => sum + size, 0);
  const failed = results.find(({ isError }) => isError);
  return {
    count,
    /** What stands in a row; nothing while it is on its way. */
    at: (row: number): T | undefined => loaded.get(Math.floor(row / PAGE))?.data[row % PAGE],
    look: (first: number, last: number) => {
      const pages = { first: Math.floor(first / PAGE), last: Math.floor(last / PAGE) };
      if (pages.first !== sight.first || pages.last !== sight.last) setSight(pages);
    },
    isPending: results[0]?.isPending ?? true,
    failed,
    isEmpty: from === 0 && results[0]?.data?.data.length === 0,
  };
}
