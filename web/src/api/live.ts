import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { readerAgain } from './again';
import type { Schemas } from './client';
import { paced } from './pace';
import { events } from './stream';

type Kind = Schemas['LiveKind'];

/** What is on the screen of each kind, by the second part of the keys of queries. */
const SHOWN_IN: Record<Kind, readonly string[]> = {
  agent: ['agents'],
  knowledge_base: ['bases'],
  document: ['bases'],
  website: ['bases'],
  // Instructions are things of the business as well.
  catalogue_item: ['business', 'instructions', 'gaps'],
  business: ['business'],
  lead: ['leads', 'conversations'],
  conversation: ['conversations', 'gaps'],
  appointment: ['appointments', 'availability'],
  order: ['orders'],
  invoice_request: ['orders'],
  learned_answer: ['learned'],
  job: ['jobs'],
  rehearsal: ['rehearsals'],
  rehearsal_script: ['rehearsals'],
  channel_connection: ['channels', 'conversations'],
};

/**
 * Changes that come together are read together, and a few of them one after another within the second. Many
 * are read so seldom that a person has enough left of the requests that they may send in a minute.
 */
const USUAL_PACE = { soon: 40, each: 1_000, burst: 10, between: 200 };
/** What the server puts together from all that was asked is much work each time. */
const SLOW_PACE: Partial<Record<string, typeof USUAL_PACE>> = {
  gaps: { ...USUAL_PACE, each: 15_000, burst: 1 },
};
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

const EVERYTHING = 'everything';
type Told = Kind | typeof EVERYTHING;

/**
 * Reads again what somebody else changed, until the returned function is called. A browser has few
 * connections to a server, so that of all its tabs one listens and tells the others.
 */
export function followChanges(tenant: string, queries: QueryClient): () => void {
  const stop = new AbortController();
  const name = `quipu.live.${tenant}`;
  const channel = new BroadcastChannel(name);
  const read = readerAgain(queries);
  const paces = new Map<string, ReturnType<typeof paced>>();

  const paceOf = (shown: string) => {
    const known = paces.get(shown);
    if (known) return known;
    const isShown = ([of, part]: QueryKey) => of === tenant && (shown === EVERYTHING || part === shown);
    const made = paced(() => read(isShown), SLOW_PACE[shown] ?? USUAL_PACE);
    paces.set(shown, made);
    return made;
  };
  const note = (told: Told) => {
    for (const shown of told === EVERYTHING ? [EVERYTHING] : (SHOWN_IN[told] ?? [])) paceOf(shown).ask();
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
            event === 'changed' ? JSON.parse(data).kind : first ? undefined : EVERYTHING;
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
    for (const { stop } of paces.values()) stop();
    channel.close();
  };
}
