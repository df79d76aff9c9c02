import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const TEMPERATURES = ['hot', 'warm', 'cold', 'none'] as const;
const CHANNELS = ['whatsapp', 'instagram', 'messenger', 'tiktok', 'voice', 'web'] as const;

export const CUSTOMER_COLUMNS = ['phone', 'email', 'channels', 'agent', 'tags', 'points', 'since'] as const;
export type CustomerColumn = (typeof CUSTOMER_COLUMNS)[number];

/** Which customers are wanted, and whether they stand in a list or on a board. */
export type CustomersSearch = {
  view?: 'board';
  q?: string;
  temperature?: (typeof TEMPERATURES)[number];
  agent?: string;
  channel?: (typeof CHANNELS)[number];
  /** What the channel knows somebody by, as it is written there. */
  id?: string;
  /** What is told of each, joined by dots; the usual when it is not said. */
  cols?: string;
};

/** Those that are known, in their order. */
export const columnsIn = (text: string): CustomerColumn[] => {
  const wanted = text.split('.');
  return CUSTOMER_COLUMNS.filter((column) => wanted.includes(column));
};

/** Numbers in an address are read as numbers. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/customers',
  validateSearch: (search: Record<string, unknown>): CustomersSearch => {
    const temperature = TEMPERATURES.find((one) => one === search.temperature);
    const channel = CHANNELS.find((one) => one === search.channel);
    const [q, agent, id] = [search.q, search.agent, search.id].map(textOf);
    return {
      ...(search.view === 'board' && { view: 'board' as const }),
      ...(q && { q }),
      ...(temperature && { temperature }),
      ...(agent && { agent }),
      ...(channel && { channel }),
      ...(channel && id && { id }),
      ...(typeof search.cols === 'string' && { cols: columnsIn(search.cols).join('.') || 'none' }),
    };
  },
  component: lazyRouteComponent(() => import('../pages/customers'), 'CustomersPage'),
});

const customer = createRoute({
  getParentRoute: () => tenant,
  path: '/customers/$lead',
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../pages/customers/customer'), 'CustomerPage'),
});

export const customersRoutes = [list, customer] as const;
