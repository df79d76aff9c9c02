import { api, told } from '../../../api/client';
import type { DocumentSearch } from '../../../routes/knowledge';
import { PAGE, usePagesInSight } from '../paging';
import { type Document, documentsKey } from '../queries';
import { isMoving, wantedOf } from './wanted';

/** Changes are told at once; this is for when nobody tells them. */
const LOOK_AGAIN_MS = 10_000;

/** The documents that are wanted, as far as they are in sight. */
export function useDocumentPages(tenant: string, kb: string, search: DocumentSearch) {
  const wanted = wantedOf(search);
  const sort = search.sort ?? 'newest';
  return usePagesInSight<Document>((cursor) => ({
    queryKey: [...documentsKey(tenant, kb), 'page', { ...wanted, sort }, cursor ?? 'first'],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents', {
          params: { path: { kb_id: kb }, query: { ...wanted, sort, limit: PAGE, cursor } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? LOOK_AGAIN_MS : false),
  }));
}
