const REGIONS = 'AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR PY SV US UY VE'
  .split(' ')
  .map((region) => `es-${region}`);
const OTHERS = ['en-US', 'en-GB', 'en-CA', 'pt-BR', 'pt-PT', 'ca-ES', 'fr-FR'];

/** Languages with their regions, by the names that people know. */
export function localeChoices(language: string, current: string) {
  const names = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' });
  const all = [...new Set([current, ...REGIONS, ...OTHERS])];
  return all.map((value) => ({ value, label: `${names.of(value) ?? value} · ${value}` }));
}

export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function zoneChoices(current: string): string[] {
  return [...new Set([current, HERE, ...Intl.supportedValuesOf('timeZone')])];
}
