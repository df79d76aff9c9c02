import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/agents',
  component: lazyRouteComponent(() => import('../pages/agents/list'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => tenant,
  path: '/agents/$agent',
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../pages/agents/agent'), 'AgentPage'),
});

export const agentRoutes = [list, agent] as const;
