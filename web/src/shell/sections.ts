import type { Texts } from '../i18n';
import type { Permission } from '../pages/settings/rights';

/** Where people go, in the order of what they do most, and who does. */
const SECTIONS = [
  { to: '/t/$tenant', name: 'home', exact: true },
  { to: '/t/$tenant/conversations', name: 'conversations', exact: false },
  { to: '/t/$tenant/customers', name: 'customers', exact: false },
  { to: '/t/$tenant/agenda', name: 'agenda', exact: false },
  { to: '/t/$tenant/orders', name: 'orders', exact: false },
  { to: '/t/$tenant/knowledge', name: 'knowledge', exact: false },
  { to: '/t/$tenant/gaps', name: 'gaps', exact: false },
  { to: '/t/$tenant/agents', name: 'agents', exact: false },
  { to: '/t/$tenant/channels', name: 'channels', exact: false, needs: 'agents:read' },
  { to: '/t/$tenant/business', name: 'business', exact: false },
  { to: '/t/$tenant/figures', name: 'metrics', exact: false, needs: 'usage:read' },
  { to: '/t/$tenant/settings', name: 'settings', exact: false },
] as const satisfies readonly { to: string; name: keyof Texts['nav']; exact: boolean; needs?: Permission }[];

type Section = (typeof SECTIONS)[number];

/** Those that are for whoever may do this. */
export const sectionsFor = (may: (permission: Permission) => boolean): readonly Section[] =>
  SECTIONS.filter((section) => !('needs' in section) || may(section.needs));
