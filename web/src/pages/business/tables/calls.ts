import { ApiError, errorOf, headers, type Schemas } from '../../../api/client';
import { texts } from '../../../i18n';
import type { KindName } from '../catalogue';

export type ImportReport = Schemas['ImportReport'];

async function sent(path: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init });
  } catch {
    throw new ApiError(0, 'NETWORK', texts().errors.network);
  }
  if (answer.ok) return answer;
  throw errorOf(answer.status, await answer.json().catch(() => undefined));
}

/** Sends a table as it is: the server finds out how its text is encoded. */
export async function importTable(kind: KindName, file: File, trial: boolean): Promise<ImportReport> {
  const answer = await sent(`/api/v1/${kind}/import?dry_run=${trial}`, {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'text/csv' },
    body: file,
  });
  return answer.json();
}

/** Saves the table of a kind on the person's machine. */
export async function exportTable(kind: KindName): Promise<void> {
  const answer = await sent(`/api/v1/${kind}/export`, { headers: headers() });
  const named = /filename="?([^";]+)"?/.exec(answer.headers.get('Content-Disposition') ?? '');
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = named?.[1] ?? `${kind}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
