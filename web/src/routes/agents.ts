import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';
import { type DocumentSearch, documentSearch } from './knowledge';

export const INSTRUCTION_TYPES = ['behavior', 'rule', 'restriction', 'tone'] as const;
export const SHOWN = ['active', 'paused', 'prompt'] as const;

export const RESULTS = ['changed', 'failed'] as const;

/** Which part of an agent is looked at, and what is looked for in what it knows, its instructions and tools. */
export type AgentSearch = DocumentSearch & {
  tab?: string;
  type?: (typeof INSTRUCTION_TYPES)[number];
  show?: (typeof SHOWN)[number];
  /** The rehearsal whose answers are looked at, and which of them. */
  run?: string;
  only?: (typeof RESULTS)[number];
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
    ...documentSearch(search),
    ...one('type', search.type, INSTRUCTION_TYPES),
    ...one('show', search.show, SHOWN),
    ...one('run', search.run),
    ...one('only', search.only, RESULTS),
  }),
  component: lazyRouteComponent(() => import('../pages/agents/agent'), 'AgentPage'),
});

export const agentRoutes = [list, agent] as const;
