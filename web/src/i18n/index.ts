import { useSyncExternalStore } from 'react';
import * as agents from './texts/agents';
import * as entry from './texts/entry';
import * as knowledge from './texts/knowledge';
import * as settings from './texts/settings';
import * as shell from './texts/shell';
import type { Widened } from './widened';

/** Everything that is said, in Spanish. TypeScript refuses a key that English lacks. */
const es = {
  ...shell.es,
  ...entry.es,
  ...knowledge.es,
  ...agents.es,
  ...settings.es,
};

export type Texts = Widened<typeof es>;

const en: Texts = {
  ...shell.en,
  ...entry.en,
  ...knowledge.en,
  ...agents.en,
  ...settings.en,
};

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
