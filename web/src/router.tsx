import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { enterTenant } from './api/client';
import { me } from './api/session';
import { BrokenPage, MissingPage } from './parts/failures';
import { PageSkeleton } from './parts/skeletons';
import { Shell } from './shell/Shell';

type Context = { queries: QueryClient };

const LAST = 'quipu.tenant';

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: MissingPage,
  errorComponent: BrokenPage,
});

/** Only for whoever is signed in, with a password of their own. Everybody else comes back afterwards. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const known = await context.queries.ensureQueryData(me);
    if (!known) throw redirect({ to: '/sign-in', search: { to: location.href } });
    if (known.user.must_change_password)
      throw redirect({ to: '/new-password', search: { to: location.href } });
    return { me: known };
  },
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: ({ context }) => {
    const last = localStorage.getItem(LAST);
    const { tenants } = context.me;
    const known =
      tenants.find((tenant) => tenant.tenant_slug === last) ??
      (tenants.length === 1 ? tenants[0] : undefined);
    if (known) throw redirect({ to: '/t/$tenant', params: { tenant: known.tenant_slug } });
  },
  component: lazyRouteComponent(() => import('./pages/choose'), 'ChoosePage'),
});

const searchTo = (search: Record<string, unknown>): { to?: string } =>
  // Only a place of ours: another would lead whoever signs in away.
  typeof search.to === 'string' && /^\/(?!\/)/.test(search.to) ? { to: search.to } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchTo,
  component: lazyRouteComponent(() => import('./pages/sign-in'), 'SignInPage'),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  validateSearch: searchTo,
  component: lazyRouteComponent(() => import('./pages/new-password'), 'NewPasswordPage'),
});

const tenant = createRoute({
  getParentRoute: () => inside,
  path: '/t/$tenant',
  beforeLoad: ({ params }) => {
    enterTenant(params.tenant);
    localStorage.setItem(LAST, params.tenant);
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home'), 'HomePage'),
});

const knowledge = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./pages/knowledge/list'), 'KnowledgePage'),
});

const knowledgeBase = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb',
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('./pages/knowledge/base'), 'KnowledgeBasePage'),
});

const document_ = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb/documents/$document',
  validateSearch: (search: Record<string, unknown>): { chunk?: string } =>
    typeof search.chunk === 'string' ? { chunk: search.chunk } : {},
  component: lazyRouteComponent(() => import('./pages/knowledge/chunks'), 'ChunksPage'),
});

const agents = createRoute({
  getParentRoute: () => tenant,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents/list'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => tenant,
  path: '/agents/$agent',
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('./pages/agents/agent'), 'AgentPage'),
});

const settings = createRoute({
  getParentRoute: () => tenant,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings'), 'SettingsPage'),
});

const tree = root.addChildren([
  signIn,
  newPassword,
  inside.addChildren([
    start,
    tenant.addChildren([home, knowledge, knowledgeBase, document_, agents, agent, settings]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: MissingPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
