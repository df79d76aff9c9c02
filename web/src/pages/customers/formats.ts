import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../../api/client';
import { type Language, useLanguage } from '../../i18n';
import { unbroken } from '../../i18n/unbroken';
import { tenantOf } from './queries';

export type Formats = ReturnType<typeof makeFormats>;

/** Words in the language of the reader, everything else as the country of the business writes it. */
function localeOf(language: Language, locale: string | undefined): string {
  const region = locale && new Intl.Locale(locale).region;
  return region ? `${language}-${region}` : language;
}

function makeFormats(language: Language, locale: string | undefined, timeZone: string | undefined) {
  const written = localeOf(language, locale);
  const by = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(written, { timeZone, ...options });
  const clock = by({ timeStyle: 'short' });
  const full = by({ dateStyle: 'medium', timeStyle: 'short' });
  const longDay = by({ dateStyle: 'full' });
  const shortDay = by({ day: 'numeric', month: 'short' });
  const numericDay = by({ dateStyle: 'short' });
  // A form that sorts and compares, whatever the language.
  const plain = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(written, { numeric: 'auto' });
  const counts = new Intl.NumberFormat(written);
  const dayOf = (date: Date) => plain.format(date);
  const agoOf = (day: string) => Math.round((Date.parse(dayOf(new Date())) - Date.parse(day)) / 86_400_000);
  const capital = (text: string) => text.charAt(0).toLocaleUpperCase(written) + text.slice(1);
  return {
    clock: (text: string) => unbroken(clock.format(new Date(text))),
    full: (text: string) => unbroken(full.format(new Date(text))),
    /** An instant on the clock of another place, such as a branch. */
    fullIn: (text: string, zone: string) =>
      unbroken(
        new Intl.DateTimeFormat(written, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(
          new Date(text),
        ),
      ),
    /** The calendar day of an instant where the business is. */
    day: (text: string) => dayOf(new Date(text)),
    /** What a day is called: today, yesterday, or its date. */
    dayName: (text: string) => {
      const date = new Date(text);
      const ago = agoOf(dayOf(date));
      return capital(ago === 0 || ago === 1 ? relative.format(-ago, 'day') : longDay.format(date));
    },
    /** As short as it can be and still tell when. */
    brief: (text: string) => {
      const date = new Date(text);
      const day = dayOf(date);
      if (agoOf(day) === 0) return unbroken(clock.format(date));
      if (agoOf(day) === 1) return capital(relative.format(-1, 'day'));
      return day.slice(0, 4) === dayOf(new Date()).slice(0, 4)
        ? shortDay.format(date)
        : numericDay.format(date);
    },
    count: (value: number) => counts.format(value),
    percent: (share: number) =>
      new Intl.NumberFormat(written, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    decimals: (value: number, digits: number) =>
      new Intl.NumberFormat(written, { maximumFractionDigits: digits }).format(value),
    money: ({ amount, currency }: Schemas['Money']) => {
      const format = new Intl.NumberFormat(written, { style: 'currency', currency });
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
    },
    bytes: (size: number) => {
      const large = size >= 1e6;
      const unit = large ? 'megabyte' : 'kilobyte';
      const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(written, options).format(Math.max(size, 100) / (large ? 1e6 : 1e3));
    },
  };
}

/** How dates, amounts and sizes are written for a business. */
export function useFormats(tenant: string): Formats {
  const language = useLanguage();
  const { data } = useQuery(tenantOf(tenant));
  return useMemo(() => makeFormats(language, data?.locale, data?.time_zone), [language, data]);
}
