import { errorOf, headers, type Schemas } from './client';

export type UploadAnswer = Schemas['UploadAnswer'];

/** Sends one file and tells how much of it has left, which `fetch` does not. */
export function upload(
  kb: string,
  file: File,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/knowledge-bases/${kb}/documents`);
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
