import type { Texts } from '../../../i18n';
import type { DataOf, KindName } from '../catalogue';
import { deliveryZones, menuCategories, menuItems, services } from './offer';
import { branches, staff, tables } from './places';
import type { Kind } from './types';
import { articles, competitors, faqs, policies, responseTemplates, rewards } from './words';

const KINDS: { [K in KindName]: Kind<K> } = {
  branches,
  staff,
  tables,
  services,
  'menu-categories': menuCategories,
  'menu-items': menuItems,
  'delivery-zones': deliveryZones,
  policies,
  faqs,
  articles,
  'response-templates': responseTemplates,
  competitors,
  rewards,
};

export const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name);

/** What is known of a kind, for whoever treats them all alike. */
export const kindOf = (name: KindName) => KINDS[name] as unknown as Kind;

export type KindTexts = {
  title: string;
  create: string;
  intro: string;
  emptyTitle: string;
  emptyText: string;
  deleteText: string;
  labels: Record<string, string>;
  help: Record<string, string>;
};
/** TypeScript refuses a field that has no name. */
type AllTexts = {
  [K in KindName]: Omit<KindTexts, 'labels' | 'help'> & {
    labels: Record<keyof DataOf<K>, string>;
    help: { [F in keyof DataOf<K>]?: string };
  };
};

export function kindTexts(t: Texts, name: KindName): KindTexts {
  const all: AllTexts = t.business.kinds;
  return all[name] as KindTexts;
}

/** In the order in which a business is set up. */
export const GROUPS = [
  { name: 'place', kinds: ['branches', 'staff', 'tables'] },
  { name: 'offer', kinds: ['services', 'menu-items', 'menu-categories', 'delivery-zones'] },
  { name: 'words', kinds: ['faqs', 'policies', 'articles', 'response-templates', 'competitors'] },
  { name: 'loyalty', kinds: ['rewards'] },
] as const satisfies readonly { name: keyof Texts['business']['groups']; kinds: readonly KindName[] }[];
