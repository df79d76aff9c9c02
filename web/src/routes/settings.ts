import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { root, tenant } from './base';

type Search = Record<string, unknown>;

const text = (value: unknown) => (typeof value === 'string' && value.length > 0 ? value : undefined);
const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;
/** Who did what kind of thing, from one day of the business to another. */
export type AuditSearch = { q?: string; who?: string; about?: string; from?: string; to?: string };
const words = (search: Search): { q?: string } => ({ q: text(search.q) });

const STATUSES: Schemas['JobStatus'][] = ['queued', 'running', 'succeeded', 'dead', 'cancelled'];

const settings = createRoute({
  getParentRoute: () => tenant,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/layout'), 'SettingsLayout'),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/settings/account/page'), 'AccountPage'),
});

const business = createRoute({
  getParentRoute: () => settings,
  path: '/business',
  component: lazyRouteComponent(() => import('../pages/settings/business'), 'BusinessPage'),
});

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  validateSearch: words,
  component: lazyRouteComponent(() => import('../pages/settings/team/page'), 'TeamPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  validateSearch: (search: Search): { all?: true } => (search.all ? { all: true } : {}),
  component: lazyRouteComponent(() => import('../pages/settings/keys/page'), 'KeysPage'),
});

const secrets = createRoute({
  getParentRoute: () => settings,
  path: '/secrets',
  validateSearch: words,
  component: lazyRouteComponent(() => import('../pages/settings/secrets/page'), 'SecretsPage'),
});

const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  component: lazyRouteComponent(() => import('../pages/settings/plan/page'), 'PlanPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: (search: Search): AuditSearch => ({
    q: text(search.q),
    who: text(search.who),
    about: text(search.about),
    from: day(search.from),
    to: day(search.to),
  }),
  component: lazyRouteComponent(() => import('../pages/settings/audit/page'), 'AuditPage'),
});

const jobs = createRoute({
  getParentRoute: () => settings,
  path: '/jobs',
  validateSearch: (search: Search): { status?: Schemas['JobStatus'] } => ({
    status: STATUSES.find((status) => status === search.status),
  }),
  component: lazyRouteComponent(() => import('../pages/settings/jobs/page'), 'JobsPage'),
});

const leaving = createRoute({
  getParentRoute: () => settings,
  path: '/leaving',
  component: lazyRouteComponent(() => import('../pages/settings/leaving/page'), 'LeavingPage'),
});

const tenants = createRoute({
  getParentRoute: () => settings,
  path: '/platform/tenants',
  validateSearch: words,
  component: lazyRouteComponent(() => import('../pages/settings/platform/tenants'), 'TenantsPage'),
});

const receipts = createRoute({
  getParentRoute: () => settings,
  path: '/platform/receipts',
  component: lazyRouteComponent(() => import('../pages/settings/platform/receipts'), 'ReceiptsPage'),
});

const plans = createRoute({
  getParentRoute: () => settings,
  path: '/platform/plans',
  component: lazyRouteComponent(() => import('../pages/settings/platform/plans'), 'PlansPage'),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: '/platform/users',
  validateSearch: words,
  component: lazyRouteComponent(() => import('../pages/settings/platform/users'), 'UsersPage'),
});

const health = createRoute({
  getParentRoute: () => settings,
  path: '/platform/health',
  component: lazyRouteComponent(() => import('../pages/settings/platform/health'), 'HealthPage'),
});

export const settingsRoutes = [
  settings.addChildren([
    account,
    business,
    team,
    keys,
    secrets,
    plan,
    audit,
    jobs,
    leaving,
    tenants,
    receipts,
    plans,
    users,
    health,
  ]),
] as const;

/** Where a one-time link leads, for somebody who cannot sign in yet. The token stands behind the #. */
export const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  component: lazyRouteComponent(() => import('../pages/settings/set-password'), 'SetPasswordPage'),
});
