import { createContext, useContext } from 'react';
import type { Schemas } from '../../api/client';

export type Money = Schemas['Money'];
export type Currency = Schemas['Currency'];

/** Where a business is: what its prices are in and how its numbers are written. */
export type Setting = { tenant: string; locale: string; timeZone: string; currency: Currency };

export const SettingContext = createContext<Setting | undefined>(undefined);

export function useSetting(): Setting {
  const setting = useContext(SettingContext);
  if (!setting) throw new Error('outside of a business');
  return setting;
}

export const CURRENCIES = [
  'PEN',
  'MXN',
  'COP',
  'CLP',
  'ARS',
  'EUR',
  'USD',
  'BRL',
  'UYU',
  'BOB',
  'PYG',
  'CRC',
  'GTQ',
  'DOP',
  'HNL',
  'NIO',
  'VES',
  'PAB',
] as const satisfies readonly Currency[];

/** The server reckons by ISO 4217, which browsers do not always follow. */
export const decimalsOf = (currency: Currency) => (currency === 'CLP' || currency === 'PYG' ? 0 : 2);

/** An amount as customers read it, without decimals when they are all zero. */
export function writeMoney(money: Money, locale: string): string {
  const decimals = decimalsOf(money.currency);
  const unit = 10 ** decimals;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: money.currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: money.amount % unit === 0 ? 0 : decimals,
    maximumFractionDigits: decimals,
  }).format(money.amount / unit);
}
