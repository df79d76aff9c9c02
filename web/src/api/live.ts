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
};

/**
 * Changes that come together are read together: the first of them at once, and what follows so seldom that
 * many changes leave a person enough of the requests that they may send in a minute.
 */
const SOON_MS = 40;
const PAUSE_MS = 1_000;
/** What the server puts together from all that was asked is much work each time. */
const LONG_PAUSE_MS: Partial<Record<string, number>> = { gaps: 15_000 };
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
    const made = paced(() => read(isShown), { soon: SOON_MS, pause: LONG_PAUSE_MS[shown] ?? PAUSE_MS });
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
