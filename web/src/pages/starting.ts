import type { Schemas } from '../api/client';
import { HERE } from './settings/places';

/** The businesses that come with the product, to try it on. */
export const DEMOS = {
  'clinica-dental-sonrisa': 'dental',
  'centro-medico-alba-andina': 'medical',
  'taqueria-el-comal-despierto': 'restaurant',
} as const satisfies Record<string, Schemas['Vertical']>;

export const demoOf = (slug: string): Schemas['Vertical'] | undefined =>
  (DEMOS as Record<string, Schemas['Vertical']>)[slug];

const ZONE = 'quipu.timeZone';
const KIND = 'quipu.kind.';

/** Where somebody said that they are, which is where their next business is. */
export const chosenZone = () => localStorage.getItem(ZONE) ?? HERE;
export const rememberZone = (zone: string) => localStorage.setItem(ZONE, zone);

/** What a business that was made in this browser is, for its first agent. */
export const rememberKind = (tenant: string, kind: Schemas['Vertical']) =>
  localStorage.setItem(`${KIND}${tenant}`, kind);
export const kindOf = (tenant: string, kinds: readonly Schemas['Vertical'][]) =>
  kinds.find((kind) => kind === localStorage.getItem(`${KIND}${tenant}`));

/** The countries that are offered first, as languages with their region, and what is paid with there. */
export const COUNTRIES: Record<string, string> = {
  'es-PE': 'PEN',
  'es-MX': 'MXN',
  'es-CO': 'COP',
  'es-AR': 'ARS',
  'es-CL': 'CLP',
  'es-ES': 'EUR',
  'es-EC': 'USD',
  'es-UY': 'UYU',
  'es-BO': 'BOB',
  'es-PY': 'PYG',
  'es-CR': 'CRC',
  'es-GT': 'GTQ',
  'es-DO': 'DOP',
  'en-US': 'USD',
};

/** The country in which a time zone is, where it is one that is offered. */
export function localeOf(zone: string, language: string): string {
  const found = ZONES.find(([part]) => zone.startsWith(part));
  if (found) return found[1];
  return language === 'en' ? 'en-US' : 'es-PE';
}

const ZONES: readonly [string, string][] = [
  ['America/Lima', 'es-PE'],
  ['America/Mexico', 'es-MX'],
  ['America/Tijuana', 'es-MX'],
  ['America/Monterrey', 'es-MX'],
  ['America/Cancun', 'es-MX'],
  ['America/Bogota', 'es-CO'],
  ['America/Argentina', 'es-AR'],
  ['America/Buenos_Aires', 'es-AR'],
  ['America/Santiago', 'es-CL'],
  ['Europe/Madrid', 'es-ES'],
  ['Atlantic/Canary', 'es-ES'],
  ['America/Guayaquil', 'es-EC'],
  ['America/Montevideo', 'es-UY'],
  ['America/La_Paz', 'es-BO'],
  ['America/Asuncion', 'es-PY'],
  ['America/Costa_Rica', 'es-CR'],
  ['America/Guatemala', 'es-GT'],
  ['America/Santo_Domingo', 'es-DO'],
  ['America/New_York', 'en-US'],
  ['America/Chicago', 'en-US'],
  ['America/Los_Angeles', 'en-US'],
];
