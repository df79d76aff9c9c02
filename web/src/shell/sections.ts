import type { Texts } from '../i18n';

/** Where people go, in the order of what they do most. */
export const SECTIONS = [
  { to: '/t/$tenant', name: 'home', exact: true },
  { to: '/t/$tenant/knowledge', name: 'knowledge', exact: false },
  { to: '/t/$tenant/agents', name: 'agents', exact: false },
  { to: '/t/$tenant/settings', name: 'settings', exact: false },
] as const satisfies readonly { to: string; name: keyof Texts['nav']; exact: boolean }[];
