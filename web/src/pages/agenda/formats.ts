import { useMemo } from 'react';
import type { Schemas } from '../../api/client';
import { type Language, useLanguage } from '../../i18n';
import { wallClock } from './clock';

type Place = Pick<Schemas['Tenant'], 'locale' | 'time_zone'>;

/** Amounts of these have no smaller unit; of all others that the server knows, a hundredth. */
const WHOLE = new Set(['CLP', 'PYG']);
const MINUTE = 60_000;

/** How the people of a business write, in the language that is read. */
function localeOf(language: Language, place: Place): string {
  try {
    const { region } = new Intl.Locale(place.locale);
    return region ? `${language}-${region}` : language;
  } catch {
    return language;
  }
}

export type Formats = ReturnType<typeof formatsOf>;

function formatsOf(locale: string, zone: string) {
  const written = (options: Intl.DateTimeFormatOptions) => (instant: string | Date, where?: string) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: where ?? zone }).format(new Date(instant));
  const dayOf = (options: Intl.DateTimeFormatOptions) => (date: string) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
  return {
    locale,
    money({ amount, currency }: Schemas['Money']) {
      const decimals = WHOLE.has(currency) ? 0 : 2;
      const value = amount / 10 ** decimals;
      const digits = Number.isInteger(value) ? 0 : decimals;
      const style = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...style }).format(value);
    },
    /** An instant, on the clock of the business or of the zone that is named. */
    moment: written({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
    time: written({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    /** A day that is already one of the place. */
    longDay: dayOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: dayOf({ weekday: 'short', day: 'numeric', month: 'short' }),
    /** The time of a day that is today, else the day as well. */
    soon(instant: string, where?: string) {
      const day = (at: string | Date) => wallClock(at, where ?? zone).slice(0, 10);
      const time = wallClock(instant, where ?? zone).slice(11, 16);
      return day(instant) === day(new Date()) ? time : `${this.shortDay(day(instant))} ${time}`;
    },
    /** How long ago something was, or how long it still is. */
    since(instant: string, now: number) {
      const minutes = Math.round((Date.parse(instant) - now) / MINUTE);
      const relative = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' });
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      const hours = Math.round(minutes / 60);
      return Math.abs(hours) < 48
        ? relative.format(hours, 'hour')
        : relative.format(Math.round(hours / 24), 'day');
    },
  };
}

/** Dates, amounts and times as the business writes them. */
export function useFormats(place: Place): Formats {
  const language = useLanguage();
  const locale = localeOf(language, place);
  return useMemo(() => formatsOf(locale, place.time_zone), [locale, place.time_zone]);
}
