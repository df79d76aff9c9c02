import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { me } from '../../api/session';

export type Permission = Schemas['Permission'];
export type Role = Schemas['Role'];

export const ROLES = ['member', 'manager', 'admin'] as const satisfies readonly Role[];

/** The lowest role that has a permission, as the server has it in `access.rs`. */
export const LEAST: Record<Permission, Role> = {
  chat: 'member',
  'agents:read': 'member',
  'knowledge:read': 'member',
  'business:read': 'member',
  'customers:read': 'member',
  'customers:write': 'member',
  'agents:write': 'manager',
  'business:write': 'manager',
  'knowledge:write': 'manager',
  'jobs:read': 'manager',
  'jobs:write': 'manager',
  'usage:read': 'manager',
  'tenant:write': 'admin',
  'members:read': 'admin',
  'members:write': 'admin',
  'keys:read': 'admin',
  'keys:write': 'admin',
  'secrets:read': 'admin',
  'secrets:write': 'admin',
  'audit:read': 'admin',
};

export const PERMISSIONS = Object.keys(LEAST) as Permission[];

export const isPermission = (text: unknown): text is Permission =>
  typeof text === 'string' && Object.hasOwn(LEAST, text);

/** What whoever is signed in may do in this tenant. Whoever runs the platform may do everything. */
export function useRights(tenant: string) {
  const known = useQuery(me).data;
  const runs = known?.user.super_admin ?? false;
  const own = known?.tenants.find((membership) => membership.tenant_slug === tenant)?.role;
  const role: Role | undefined = runs ? 'admin' : own;
  const may = (permission: Permission) =>
    role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(LEAST[permission]);
  return { user: known?.user, runs, role, may };
}
