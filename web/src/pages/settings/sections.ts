import type { Schemas } from '../../api/client';

type Permission = Schemas['Permission'];
type Section = { to: `/t/$tenant/settings${string}`; name: string; needs?: Permission; platform?: true };

/** The pages of settings in their order, and who sees them. */
export const SECTIONS = [
  { to: '/t/$tenant/settings', name: 'account' },
  { to: '/t/$tenant/settings/business', name: 'business' },
  { to: '/t/$tenant/settings/team', name: 'team', needs: 'members:read' },
  { to: '/t/$tenant/settings/keys', name: 'keys', needs: 'keys:read' },
  { to: '/t/$tenant/settings/secrets', name: 'secrets', needs: 'secrets:read' },
  { to: '/t/$tenant/settings/plan', name: 'plan', needs: 'usage:read' },
  { to: '/t/$tenant/settings/audit', name: 'audit', needs: 'audit:read' },
  { to: '/t/$tenant/settings/jobs', name: 'jobs', needs: 'jobs:read' },
  { to: '/t/$tenant/settings/leaving', name: 'leaving', needs: 'tenant:write' },
  { to: '/t/$tenant/settings/platform/tenants', name: 'tenants', platform: true },
  { to: '/t/$tenant/settings/platform/receipts', name: 'receipts', platform: true },
  { to: '/t/$tenant/settings/platform/plans', name: 'plans', platform: true },
  { to: '/t/$tenant/settings/platform/users', name: 'users', platform: true },
  { to: '/t/$tenant/settings/platform/health', name: 'health', platform: true },
] as const satisfies readonly Section[];

export type SettingsSection = (typeof SECTIONS)[number];
type Rights = { may: (permission: Permission) => boolean; runs: boolean };

/** The pages that somebody sees. */
export const sectionsFor = ({ may, runs }: Rights): readonly SettingsSection[] =>
  SECTIONS.filter((section) => {
    if ('platform' in section) return runs;
    return !('needs' in section) || may(section.needs);
  });
