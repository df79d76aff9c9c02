import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

export type ListSearch = {
  /** What is looked for. */
  q?: string;
  active?: 'yes' | 'no';
  /** What the list is narrowed to: a category, a branch. */
  group?: string;
  /** What is open: its id, or `new`. */
  item?: string;
};

/** Words of digits alone are read as numbers. */
const word = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

function listSearch(search: Record<string, unknown>): ListSearch {
  const found: ListSearch = { q: word(search.q), group: word(search.group), item: word(search.item) };
  if (search.active === 'yes' || search.active === 'no') found.active = search.active;
  return found;
}

const layout = createRoute({
  getParentRoute: () => tenant,
  path: '/business',
  component: lazyRouteComponent(() => import('../pages/business'), 'BusinessPage'),
});

const profile = createRoute({
  getParentRoute: () => layout,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/business/profile'), 'ProfilePage'),
});

const loyalty = createRoute({
  getParentRoute: () => layout,
  path: '/loyalty',
  component: lazyRouteComponent(() => import('../pages/business/loyalty'), 'LoyaltyPage'),
});

const kind = createRoute({
  getParentRoute: () => layout,
  path: '/$kind',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../pages/business/list'), 'KindPage'),
});

export const businessRoutes = [layout.addChildren([profile, loyalty, kind])] as const;
