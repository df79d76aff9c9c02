import { useEffect, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { events } from '../../../api/stream';

export type ReadingStatus = Schemas['ProcessingStatus'];

/** Changes that come together are shown together. */
const TOGETHER_MS = 150;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** How far documents are, as the server tells it, for as long as somebody waits for one. */
export function useReadingStatus(kb: string, waits: boolean): ReadonlyMap<string, ReadingStatus> {
  const [known, setKnown] = useState<ReadonlyMap<string, ReadingStatus>>(new Map());
  useEffect(() => {
    if (!waits) return;
    const stop = new AbortController();
    const fresh = new Map<string, ReadingStatus>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const told = [...fresh];
      fresh.clear();
      setKnown((before) => new Map([...before, ...told]));
    };
    const listen = async () => {
      let wait = SHORTEST_WAIT_MS;
      let last: string | undefined;
      while (!stop.signal.aborted) {
        try {
          const from = last ? { 'Last-Event-ID': last } : undefined;
          const place = `/api/v1/knowledge-bases/${kb}/events`;
          for await (const { event, data, id } of events(place, {
            signal: stop.signal,
            ...(from && { headers: from }),
          })) {
            wait = SHORTEST_WAIT_MS;
            last = id ?? last;
            if (event !== 'document') continue;
            const status: ReadingStatus = JSON.parse(data);
            fresh.set(status.document_id, status);
            timer ??= setTimeout(show, TOGETHER_MS);
          }
        } catch {
          wait = Math.min(wait * 2, LONGEST_WAIT_MS);
        }
        await new Promise((later) => setTimeout(later, wait));
      }
    };
    void listen();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [kb, waits]);
  return known;
}
