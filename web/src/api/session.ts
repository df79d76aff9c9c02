import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Language, speak } from '../i18n';
import { ApiError, api, type Schemas, told } from './client';

export type Me = Schemas['Me'];

/** Whoever is signed in, or nobody. */
export const me = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async (): Promise<Me | null> => {
    try {
      return await told(api.GET('/api/v1/auth/me'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** How long a password that was just typed is at hand for whoever has to change it. */
const AT_HAND = 120_000;
let typed = '';

export async function signIn(client: QueryClient, email: string, password: string) {
  await told(api.POST('/api/v1/auth/login', { body: { email, password, cookie_only: true } }));
  typed = password;
  setTimeout(forgetTyped, AT_HAND);
  client.clear();
}

/** The password that was just typed: a first one is changed at once and need not be typed again. */
export const typedPassword = () => typed;

export function forgetTyped() {
  typed = '';
}

/** Speaks another language from now on, and wherever else the same person signs in; or only here. */
export async function tellLanguage(client: QueryClient, language: Language, where?: 'here') {
  await speak(language);
  if (where === 'here') return;
  const known = await told(api.PATCH('/api/v1/auth/me', { body: { language } }));
  client.setQueryData(me.queryKey, known);
}

export async function signOut(client: QueryClient) {
  await told(api.POST('/api/v1/auth/logout'));
  client.clear();
}
