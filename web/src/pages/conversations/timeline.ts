import type { Schemas } from '../../api/client';
import type { Formats } from '../customers/formats';
import type { Message } from './queries';

type Entry = Schemas['HistoryEntry'];

export type ThreadRow =
  | { kind: 'start'; key: string }
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; message: Message; named: boolean }
  | { kind: 'event'; key: string; entry: Entry };

/** The day of a minute is looked up once: a thread is put together again whenever something is said. */
const known = new WeakMap<Formats, Map<string, string>>();

function dayFinder(formats: Formats) {
  const days = known.get(formats) ?? new Map<string, string>();
  known.set(formats, days);
  return (text: string) => {
    const minute = text.slice(0, 16);
    let day = days.get(minute);
    if (day === undefined) {
      day = formats.day(text);
      days.set(minute, day);
    }
    return day;
  };
}

/**
 * What was said and what happened, oldest first, with a line wherever a day begins. Of what happened only
 * as much as lies within what was loaded of what was said.
 */
export function threadRows(
  newestFirst: Message[],
  history: Entry[],
  complete: boolean,
  formats: Formats,
): ThreadRow[] {
  const dayOf = dayFinder(formats);
  const rows: ThreadRow[] = complete ? [{ kind: 'start', key: 'start' }] : [];
  let day = '';
  let speaker = '';
  const begin = (at: string) => {
    const today = dayOf(at);
    if (today === day) return;
    rows.push({ kind: 'day', key: today, at });
    day = today;
    speaker = '';
  };
  const oldest = newestFirst.at(-1);
  const since = complete || !oldest ? 0 : Date.parse(oldest.created_at);
  const events = history
    .map((entry) => ({ entry, at: Date.parse(entry.at) }))
    .filter(({ at }) => at >= since);
  let next = 0;
  const happenedUntil = (until: number) => {
    for (let event = events[next]; event && event.at < until; event = events[next]) {
      begin(event.entry.at);
      rows.push({
        kind: 'event',
        key: `${event.entry.at} ${event.entry.action} ${next}`,
        entry: event.entry,
      });
      speaker = '';
      next += 1;
    }
  };
  for (let at = newestFirst.length - 1; at >= 0; at -= 1) {
    const message = newestFirst[at];
    if (!message) continue;
    if (next < events.length) happenedUntil(Date.parse(message.created_at));
    begin(message.created_at);
    const said = `${message.role} ${message.author}`;
    // Whoever goes on speaking is not named again.
    rows.push({ kind: 'message', key: message.id, message, named: said !== speaker });
    speaker = said;
  }
  happenedUntil(Number.POSITIVE_INFINITY);
  return rows;
}
