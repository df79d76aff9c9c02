import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const STATUSES = ['received', 'preparing', 'ready', 'out_for_delivery', 'completed', 'cancelled'] as const;

export type OrdersSearch = {
  view?: 'list';
  branch?: string;
  /** Of the list, and on a phone the column of the board. */
  status?: (typeof STATUSES)[number];
  /** Whose orders the list shows. */
  customer?: string;
  order?: string;
};

function readSearch(search: Record<string, unknown>): OrdersSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value ? { [name]: value } : {};
  };
  const status = STATUSES.find((one) => one === search.status);
  return {
    ...(search.view === 'list' ? { view: 'list' as const } : {}),
    ...text('branch'),
    ...(status ? { status } : {}),
    ...text('customer'),
    ...text('order'),
  };
}

const start = createRoute({
  getParentRoute: () => tenant,
  path: '/orders',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../pages/orders'), 'OrdersPage'),
});

export const ordersRoutes = [start] as const;
