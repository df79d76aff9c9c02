import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

export const GAP_STATUSES = ['open', 'answered', 'dismissed'] as const;
export type GapStatus = (typeof GAP_STATUSES)[number];

export type GapSearch = { status?: GapStatus; agent?: string; gap?: string };

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

const gaps = createRoute({
  getParentRoute: () => tenant,
  path: '/gaps',
  validateSearch: (search: Record<string, unknown>): GapSearch => ({
    status: GAP_STATUSES.find((status) => status === search.status),
    agent: text(search.agent),
    gap: text(search.gap),
  }),
  component: lazyRouteComponent(() => import('../pages/gaps'), 'GapsPage'),
});

export const gapRoutes = [gaps] as const;
