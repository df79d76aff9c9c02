import { errorOf, headers, type Schemas, unreachable } from './client';

export type UploadAnswer = Schemas['UploadAnswer'];

/** Sends one file and tells how much of it has left, which `fetch` does not. */
function send<T>(
  method: 'POST' | 'PUT',
  path: string,
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => {
      if (request.status < 300) resolve(request.response);
      else reject(errorOf(request.status, request.response));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

export const upload = (
  kb: string,
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> => send('POST', `/api/v1/knowledge-bases/${kb}/documents`, file, progress, signal);

/** Puts another file behind a document; readers see the old one until this one is read. */
export const replaceFile = (kb: string, document: string, file: File): Promise<Schemas['Uploaded']> =>
  send(
    'PUT',
    `/api/v1/knowledge-bases/${kb}/documents/${document}/file`,
    file,
    () => {},
    new AbortController().signal,
  );
