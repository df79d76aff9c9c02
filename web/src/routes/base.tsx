import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { enterTenant } from '../api/client';
import { me } from '../api/session';
import { language, speak } from '../i18n';
import { BrokenPage, MissingPage } from '../parts/failures';

type Context = { queries: QueryClient };

const LAST = 'quipu.tenant';

export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: MissingPage,
  errorComponent: BrokenPage,
});

/** Only for whoever is signed in, with a password of their own. Everybody else comes back afterwards. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const known = await context.queries.ensureQueryData(me);
    if (!known) throw redirect({ to: '/sign-in', search: { to: location.href } });
    if (known.user.must_change_password)
      throw redirect({ to: '/new-password', search: { to: location.href } });
    const spoken = known.user.language;
    if (spoken && spoken !== language()) await speak(spoken);
    return { me: known };
  },
});

export const start = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: ({ context }) => {
    if (!context.me.user.language) throw redirect({ to: '/welcome' });
    const last = localStorage.getItem(LAST);
    const { tenants } = context.me;
    const known =
      tenants.find((tenant) => tenant.tenant_slug === last) ??
      (tenants.length === 1 ? tenants[0] : undefined);
    if (known) throw redirect({ to: '/t/$tenant', params: { tenant: known.tenant_slug } });
  },
  component: lazyRouteComponent(() => import('../pages/choose'), 'ChoosePage'),
});

export const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../pages/welcome'), 'WelcomePage'),
});

/** All businesses, also for whoever has been in one before. */
export const businesses = createRoute({
  getParentRoute: () => inside,
  path: '/businesses',
  component: lazyRouteComponent(() => import('../pages/choose'), 'ChoosePage'),
});

const searchTo = (search: Record<string, unknown>): { to?: string } =>
  // Only a place of ours: another would lead whoever signs in away.
  typeof search.to === 'string' && /^\/(?!\/)/.test(search.to) ? { to: search.to } : {};

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchTo,
  component: lazyRouteComponent(() => import('../pages/sign-in'), 'SignInPage'),
});

export const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  validateSearch: searchTo,
  component: lazyRouteComponent(() => import('../pages/new-password'), 'NewPasswordPage'),
});

export const tenant = createRoute({
  getParentRoute: () => inside,
  path: '/t/$tenant',
  beforeLoad: ({ params }) => {
    enterTenant(params.tenant);
    localStorage.setItem(LAST, params.tenant);
  },
  component: lazyRouteComponent(() => import('../shell/Shell'), 'Shell'),
});

export const home = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home'), 'HomePage'),
});
