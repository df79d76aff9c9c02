import { errorOf, headers, type Schemas } from '../../api/client';

const addressOf = (conversation: string) => `/api/v1/conversations/${conversation}/attachments`;

/** Sends one file of a conversation and tells how much of it has left, which `fetch` does not. */
export function attach(
  conversation: string,
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Schemas['Attachment']> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf(conversation));
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => {
      if (request.status < 300) resolve(request.response);
      else reject(errorOf(request.status, request.response));
    };
    request.onerror = () => reject(errorOf(0, undefined));
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

/** Saves a file of a conversation. A plain link cannot say which tenant it is about. */
export async function save({ id, conversation_id, filename }: Schemas['Attachment']) {
  const answer = await fetch(`${addressOf(conversation_id)}/${id}`, {
    headers: headers(),
    credentials: 'same-origin',
  });
  if (!answer.ok) throw errorOf(answer.status, await answer.json().catch(() => undefined));
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  // Some browsers read it only after the click has ended.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
