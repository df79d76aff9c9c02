import { useSyncExternalStore } from 'react';
import { en } from './en';
import { es, type Texts } from './es';

export type { Texts };
export type Language = 'es' | 'en';

const TEXTS: Record<Language, Texts> = { es, en };
const REMEMBERED = 'quipu.language';

let current: Language = remembered() ?? (navigator.language.startsWith('en') ? 'en' : 'es');
document.documentElement.lang = current;
const listeners = new Set<() => void>();

function remembered(): Language | undefined {
  const text = localStorage.getItem(REMEMBERED);
  return text === 'es' || text === 'en' ? text : undefined;
}

export function language(): Language {
  return current;
}

/** Everything on the screen changes at once, without a reload. */
export function speak(wanted: Language) {
  current = wanted;
  localStorage.setItem(REMEMBERED, wanted);
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

export function texts(): Texts {
  return TEXTS[current];
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language);
}

export function useTexts(): Texts {
  return TEXTS[useLanguage()];
}

/** A date and time as people of this language write it. */
export function useDates() {
  const language = useLanguage();
  return (text: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}
