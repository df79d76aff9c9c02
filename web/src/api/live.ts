import type { QueryClient } from '@tanstack/react-query';
import type { Schemas } from './client';
import { events } from './stream';

type Kind = Schemas['LiveKind'];

/** What is on the screen of each kind, by the second part of the keys of queries. */
const SHOWN_IN: Record<Kind, readonly string[]> = {
  agent: ['agents'],
  knowledge_base: ['bases'],
  document: ['bases'],
  website: ['bases'],
  catalogue_item: ['business'],
  business: ['business'],
  lead: ['leads', 'conversations'],
  conversation: ['conversations'],
  appointment: ['appointments', 'availability'],
  order: ['orders'],
  invoice_request: ['orders'],
  learned_answer: ['learned'],
  job: ['jobs'],
  rehearsal: ['rehearsals'],
  rehearsal_script: ['rehearsals'],
};

/** Changes that come together are read together. */
const TOGETHER_MS = 40;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

type Told = Kind | 'everything';

/**
 * Reads again what somebody else changed, until the returned function is called. A browser has few
 * connections to a server, so that of all its tabs one listens and tells the others.
 */
export function followChanges(tenant: string, queries: QueryClient): () => void {
  const stop = new AbortController();
  const name = `quipu.live.${tenant}`;
  const channel = new BroadcastChannel(name);
  const changed = new Set<Told>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const readAgain = () => {
    timer = undefined;
    const kinds = [...changed];
    changed.clear();
    const parts = new Set(kinds.flatMap((kind) => (kind === 'everything' ? [] : SHOWN_IN[kind])));
    const all = kinds.includes('everything');
    void queries.invalidateQueries({
      predicate: ({ queryKey: [of, part] }) => of === tenant && (all || parts.has(String(part))),
    });
  };
  const note = (told: Told) => {
    changed.add(told);
    timer ??= setTimeout(readAgain, TOGETHER_MS);
  };
  channel.onmessage = ({ data }) => note(data as Told);

  const listen = async () => {
    let wait = SHORTEST_WAIT_MS;
    let first = true;
    while (!stop.signal.aborted) {
      try {
        for await (const { event, data } of events('/api/v1/events', { signal: stop.signal })) {
          wait = SHORTEST_WAIT_MS;
          // Whatever happened while nobody listened was not told.
          const told: Told | undefined =
            event === 'changed' ? JSON.parse(data).kind : first ? undefined : 'everything';
          first = false;
          if (!told) continue;
          note(told);
          channel.postMessage(told);
        }
      } catch {
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
      await new Promise((later) => setTimeout(later, wait));
    }
  };
  // Only safe places have locks; elsewhere every tab listens for itself.
  if (navigator.locks) navigator.locks.request(name, { signal: stop.signal }, listen).catch(() => {});
  else void listen();

  return () => {
    stop.abort();
    clearTimeout(timer);
    channel.close();
  };
}
