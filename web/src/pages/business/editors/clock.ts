import type { Schemas } from '../../../api/client';

export type Interval = Schemas['WrittenInterval'];
export type Week = Schemas['WrittenHours'];
export type Schedule = Schemas['WrittenSchedule'];
export type Exception = Schemas['WrittenException'];

export const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly (keyof Week)[];
export type Day = (typeof DAYS)[number];

const NO_WEEK: Week = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};
/** Always closed. */
export const NO_HOURS: Schedule = { weekly: NO_WEEK, exceptions: [] };

/** The name of a day in a language; the first of January of 2024 was a Monday. */
export function dayName(day: Day, language: string): string {
  const date = new Date(Date.UTC(2024, 0, 1 + DAYS.indexOf(day)));
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(date);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const minuteOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};
const written = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** What is likely after what is there: the afternoon, an hour after the morning. */
export function nextInterval(before: Interval[]): Interval {
  const last = before.at(-1);
  if (!last) return { from: '09:00', to: '18:00' };
  const from = Math.min(minuteOf(last.to) + 60, 22 * 60);
  return { from: written(from), to: written(Math.min(from + 240, 23 * 60 + 59)) };
}

export const isWholeDay = ({ from, to }: Interval) => from === '00:00' && (to === '00:00' || to === '24:00');
export const endsNextDay = (interval: Interval) =>
  interval.from !== '' && interval.to !== '' && !isWholeDay(interval) && interval.to <= interval.from;

export const writeSpans = (spans: Interval[]) => spans.map(({ from, to }) => `${from}–${to}`).join(', ');

/** The days of an exception, as people of the place write them. */
export function writeDays({ from, to }: Exception, locale: string): string {
  const written = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const first = new Date(`${from}T00:00:00Z`);
  const last = new Date(`${to ?? from}T00:00:00Z`);
  if (Number.isNaN(first.getTime()) || last < first) return from;
  return written.formatRange(first, last);
}

/** The date where the business is. */
export const todayIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(),
  );

/** A date some days later, as it is written in JSON. */
export function daysLater(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return date;
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
