import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLanguage } from '../../i18n';
import { pricesOf, profileOf, tenantOf } from '../settings/queries';
import { useRights } from '../settings/rights';

const MICROS = 1_000_000;

/** Providers charge dollars; a business that said what one costs reads its own currency. */
export type Money = {
  currency: string;
  /** From millionths of a dollar to units of the currency. */
  units: (micros: number) => number;
  written: (micros: number) => string;
  /** The same of units. */
  told: (units: number) => string;
};

export function useMoney(tenant: string): Money {
  const language = useLanguage();
  const { may } = useRights(tenant);
  const locale = useQuery(tenantOf(tenant)).data?.locale;
  const dollar = useQuery({ ...pricesOf(tenant), enabled: may('usage:read') }).data?.dollar;
  const own = useQuery({ ...profileOf(tenant), enabled: may('business:read') }).data?.currency;
  return useMemo(() => {
    const isOwn = dollar != null && own != null && own !== 'USD';
    const currency = isOwn ? own : 'USD';
    const rate = isOwn ? dollar / MICROS : 1;
    const units = (micros: number) => (micros / MICROS) * rate;
    const upTo = (maximumFractionDigits: number) =>
      new Intl.NumberFormat(locale?.startsWith(language) ? locale : language, {
        style: 'currency',
        currency,
        minimumFractionDigits: 2,
        maximumFractionDigits,
      });
    // Models cost fractions of a cent, and a single answer may cost less than a hundredth of one.
    const [whole, fractions] = [upTo(4), upTo(6)];
    const told = (value: number) => (Math.abs(value) < 0.01 ? fractions : whole).format(value);
    return { currency, units, told, written: (micros: number) => told(units(micros)) };
  }, [language, locale, dollar, own]);
}
