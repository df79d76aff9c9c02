import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

export const INSTRUCTION_TYPES = ['behavior', 'rule', 'restriction', 'tone'] as const;
export const SHOWN = ['active', 'paused', 'prompt'] as const;

/** Which part of an agent is looked at, and what is looked for in its instructions and tools. */
export type AgentSearch = {
  tab?: string;
  q?: string;
  type?: (typeof INSTRUCTION_TYPES)[number];
  show?: (typeof SHOWN)[number];
};

const one = <T extends string>(name: string, value: unknown, known?: readonly T[]) =>
  typeof value === 'string' && value && (!known || (known as readonly string[]).includes(value))
    ? { [name]: value }
    : {};

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/agents',
  validateSearch: (search: Record<string, unknown>): { q?: string } => one('q', search.q),
  component: lazyRouteComponent(() => import('../pages/agents/list'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => tenant,
  path: '/agents/$agent',
  validateSearch: (search: Record<string, unknown>): AgentSearch => ({
    ...one('tab', search.tab),
    ...one('q', search.q),
    ...one('type', search.type, INSTRUCTION_TYPES),
    ...one('show', search.show, SHOWN),
  }),
  component: lazyRouteComponent(() => import('../pages/agents/agent'), 'AgentPage'),
});

export const agentRoutes = [list, agent] as const;
