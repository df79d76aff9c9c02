import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('../pages/knowledge/list'), 'KnowledgePage'),
});

const base = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb',
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../pages/knowledge/base'), 'KnowledgeBasePage'),
});

const document = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb/documents/$document',
  validateSearch: (search: Record<string, unknown>): { chunk?: string } =>
    typeof search.chunk === 'string' ? { chunk: search.chunk } : {},
  component: lazyRouteComponent(() => import('../pages/knowledge/chunks'), 'ChunksPage'),
});

export const knowledgeRoutes = [list, base, document] as const;
