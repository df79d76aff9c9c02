import { useSyncExternalStore } from 'react';
import type { Texts } from './es';

export type { Texts };
export type Language = 'es' | 'en';

/** Each in its own words, for whoever reads only that one. */
export const LANGUAGES = [
  { value: 'es', name: 'Español' },
  { value: 'en', name: 'English' },
] as const satisfies readonly { value: Language; name: string }[];

/** Only what is spoken is loaded. */
const LOAD: Record<Language, () => Promise<Texts>> = {
  es: async () => (await import('./es')).es,
  en: async () => (await import('./en')).en,
};
const REMEMBERED = 'quipu.language';

let current: Language = remembered() ?? (navigator.language.startsWith('en') ? 'en' : 'es');
let spoken: Texts | undefined;
const listeners = new Set<() => void>();

function remembered(): Language | undefined {
  const text = localStorage.getItem(REMEMBERED);
  return text === 'es' || text === 'en' ? text : undefined;
}

/** Loads what is said before anything is shown. */
export async function learnLanguage() {
  await use(current);
}

async function use(wanted: Language) {
  spoken = await LOAD[wanted]();
  current = wanted;
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

/** Everything on the screen changes at once, without a reload. */
export async function speak(wanted: Language) {
  await use(wanted);
  localStorage.setItem(REMEMBERED, wanted);
}

export function language(): Language {
  return current;
}

export function texts(): Texts {
  if (!spoken) throw new Error('No language was learned yet.');
  return spoken;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language);
}

export function useTexts(): Texts {
  return useSyncExternalStore(subscribe, texts);
}

/** A date and time as people of this language write it. */
export function useDates() {
  const language = useLanguage();
  return (text: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}
