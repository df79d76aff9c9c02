import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Reads queries again, each at most once at a time. */
export function readerAgain(queries: QueryClient) {
  const waited = new WeakSet<Query>();

  /** An answer that is on its way may be from before the change, so that it is asked for once more after it. */
  const afterwards = async (query: Query) => {
    if (waited.has(query)) return;
    waited.add(query);
    await query.promise?.catch(() => {});
    waited.delete(query);
    read((key) => key === query.queryKey);
  };

  const read = (wanted: (key: QueryKey) => boolean) => {
    const predicate = ({ queryKey }: Query) => wanted(queryKey);
    const underWay = queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
    for (const query of underWay) void afterwards(query);
    void queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  };

  return read;
}
