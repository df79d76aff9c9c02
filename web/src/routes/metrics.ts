import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

export const PERIODS = ['today', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

const LOGS = ['searches', 'tools'] as const;

type Search = { agent?: string; period?: Period; log?: (typeof LOGS)[number] };

const figures = createRoute({
  getParentRoute: () => tenant,
  path: '/figures',
  validateSearch: (search: Record<string, unknown>): Search => ({
    agent: typeof search.agent === 'string' && search.agent ? search.agent : undefined,
    period: PERIODS.find((period) => period === search.period),
    log: LOGS.find((log) => log === search.log),
  }),
  component: lazyRouteComponent(() => import('../pages/metrics'), 'MetricsPage'),
});

export const metricsRoutes = [figures] as const;
