import { useMemo } from 'react';
import { useLanguage } from '../../../i18n';

/** Where businesses of ours are, and where their customers come from. */
const COUNTRIES = 'AR BO BR CA CL CO CR CU DE DO EC ES FR GB GT HN IT MX NI PA PE PR PT PY SV US UY VE'.split(
  ' ',
);

/** Countries by name, with the one that is chosen already whatever it is. */
export function useCountries(chosen: string | null) {
  const language = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
    const codes = chosen && /^[A-Z]{2}$/.test(chosen) ? new Set([...COUNTRIES, chosen]) : COUNTRIES;
    const named = [...codes].map((value) => ({ value, label: names.of(value) ?? value }));
    return named.sort((a, b) => a.label.localeCompare(b.label, language));
  }, [language, chosen]);
}
