import { errorOf, headers, reached } from './client';

/** Saves what an address answers with as a file. A plain link cannot say which tenant it is about. */
export async function saveFile(path: string, name: string): Promise<void> {
  const answer = await reached(fetch(path, { headers: headers(), credentials: 'same-origin' }));
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined));
  const named = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '');
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = named?.[1] ?? name;
  link.click();
  // Some browsers read it only after the click has ended.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
