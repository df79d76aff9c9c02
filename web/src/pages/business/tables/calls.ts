import { errorOf, headers, reached, type Schemas } from '../../../api/client';
import { saveFile } from '../../../api/download';
import type { KindName } from '../catalogue';

export type ImportReport = Schemas['ImportReport'];

/** Sends a table as it is: the server finds out how its text is encoded. */
export async function importTable(
  kind: KindName | 'instructions',
  file: File,
  trial: boolean,
): Promise<ImportReport> {
  const answer = await reached(
    fetch(`/api/v1/${kind}/import?dry_run=${trial}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { ...headers(), 'Content-Type': 'text/csv' },
      body: file,
    }),
  );
  if (answer.ok) return answer.json();
  throw errorOf(answer.status, await answer.json().catch(() => undefined));
}

/** Saves the table of a kind on the person's machine. */
export const exportTable = (kind: KindName | 'instructions'): Promise<void> =>
  saveFile(`/api/v1/${kind}/export`, `${kind}.csv`);
