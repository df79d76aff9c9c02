import { errorOf, headers, reached } from './client';

export type StreamEvent = { event: string; data: string; id?: string };

/** The server-sent events of an answer, one after the other. */
export async function* events(path: string, init: RequestInit): AsyncGenerator<StreamEvent> {
  const answer = await reached(
    fetch(path, {
      ...init,
      credentials: 'same-origin',
      headers: { Accept: 'text/event-stream', ...headers(), ...init.headers },
    }),
  );
  if (!answer.ok || !answer.body) throw errorOf(answer.status, await answer.json().catch(() => undefined));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      let end = text.indexOf('\n\n');
      while (end >= 0) {
        const event = read(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
        end = text.indexOf('\n\n');
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function read(block: string): StreamEvent | undefined {
  const event: StreamEvent = { event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'data') data.push(value ?? '');
    else if (name === 'event') event.event = value ?? '';
    else if (name === 'id') event.id = value;
  }
  event.data = data.join('\n');
  return data.length > 0 ? event : undefined;
}
