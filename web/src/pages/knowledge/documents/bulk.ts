import { api, type Schemas, told } from '../../../api/client';

/** As many as one request names. */
const AT_ONCE = 500;

type Receipt = Schemas['DeletionReceipt'];
type Counts = Schemas['StoreCounts'];

async function inParts<T>(
  ids: readonly string[],
  progress: (done: number) => void,
  act: (part: string[]) => Promise<T>,
) {
  const answers: T[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = ids.slice(from, from + AT_ONCE);
    answers.push(await act(part));
    progress(from + part.length);
  }
  return answers;
}

function added(a: Counts, b: Counts): Counts {
  const rows = { ...a.rows };
  for (const [name, count] of Object.entries(b.rows)) {
    const key = name as keyof typeof rows;
    rows[key] = (rows[key] ?? 0) + count;
  }
  return {
    rows,
    files: a.files + b.files,
    file_bytes: a.file_bytes + b.file_bytes,
    index_entries: (a.index_entries ?? 0) + (b.index_entries ?? 0),
  };
}

/** Deletes documents part by part, with one receipt for all of them. */
export async function deleteAll(kb: string, ids: readonly string[], progress: (done: number) => void) {
  const receipts: Receipt[] = await inParts(ids, progress, (part) =>
    told(
      api.POST('/api/v1/knowledge-bases/{kb_id}/documents/delete', {
        params: { path: { kb_id: kb } },
        body: { document_ids: part },
      }),
    ),
  );
  return receipts.reduce((sum, next) => ({
    ...next,
    complete: sum.complete && next.complete,
    removed: added(sum.removed, next.removed),
    remaining: added(sum.remaining, next.remaining),
  }));
}

/** Has documents read again part by part. Returns how many are, and how many were on their way already. */
export async function readAllAgain(kb: string, ids: readonly string[], progress: (done: number) => void) {
  const outcomes = await inParts(ids, progress, (part) =>
    told(
      api.POST('/api/v1/knowledge-bases/{kb_id}/documents/reprocess', {
        params: { path: { kb_id: kb } },
        body: { document_ids: part },
      }),
    ),
  );
  return {
    accepted: outcomes.reduce((sum, { accepted }) => sum + accepted.length, 0),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped.length, 0),
  };
}
