import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLanguage } from '../../i18n';
import { unbroken } from '../../i18n/unbroken';
import { tenantOf } from './queries';

const MICROS = 1_000_000;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Dates and numbers as the tenant writes them. */
export function useFormats(tenant: string) {
  const language = useLanguage();
  const known = useQuery(tenantOf(tenant)).data;
  // A page in English about a business in Peru has no months in Spanish.
  const locale = known?.locale.startsWith(language) ? known.locale : language;
  const zone = known?.time_zone;
  return useMemo(() => formats(locale, zone), [locale, zone]);
}

export function formats(locale: string, timeZone: string | undefined) {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const shares = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  // Models cost fractions of a cent.
  const dollars = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  });
  // To make one takes as long as to draw a row.
  const units = new Map<string, Intl.NumberFormat>();
  const sized = (value: number, unit: string) => {
    const digits = value < 10 ? 1 : 0;
    const name = `${unit} ${digits}`;
    const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
    const known = units.get(name) ?? new Intl.NumberFormat(locale, options);
    units.set(name, known);
    return known.format(value);
  };
  return {
    date: (text: string) => unbroken(dates.format(new Date(text))),
    day: (text: string) => days.format(new Date(text)),
    span: (from: string, to: string) => days.formatRange(new Date(from), new Date(to)),
    /** A calendar month such as 2026-11. */
    month: (text: string) => months.format(new Date(`${text}-01T00:00:00Z`)),
    number: (value: number) => numbers.format(value),
    signed: (value: number) => signed.format(value),
    percent: (share: number) => percents.format(share),
    change: (share: number) => shares.format(share),
    dollars: (micros: number) => dollars.format(micros / MICROS),
    bytes: (value: number) => {
      const step = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
      return sized(value / 1024 ** step, UNITS[step] ?? 'byte');
    },
    duration: (ms: number) => (ms < 1000 ? sized(ms, 'millisecond') : sized(ms / 1000, 'second')),
  };
}

export type Formats = ReturnType<typeof formats>;
