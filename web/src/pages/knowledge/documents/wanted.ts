import type { DocumentSearch } from '../../../routes/knowledge';
import type { Document } from '../queries';

/** What is asked of the server for what stands in the address. */
export function wantedOf({ q, status, file }: DocumentSearch) {
  const source = file === 'manual' || file === 'url' ? file : undefined;
  return {
    ...(q ? { q } : {}),
    ...(status ? { status } : {}),
    ...(source ? { source } : {}),
    ...(file && file !== 'manual' && file !== 'url' ? { file_type: file } : {}),
  };
}

export const isFiltered = (search: DocumentSearch) => Boolean(search.q || search.status || search.file);

export const nameOf = (document: Document) =>
  document.title ?? document.original_filename ?? document.source_url ?? document.id;

export const isMoving = ({ status }: Pick<Document, 'status'>) =>
  status === 'pending' || status === 'processing';

export const STATUS_COLOURS = {
  pending: 'gray',
  processing: 'ochre',
  completed: 'teal',
  failed: 'red',
} as const;
