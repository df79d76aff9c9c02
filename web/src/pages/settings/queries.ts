import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';

const PAGE = 50;
type Paged = { next_cursor?: string | null };
const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: Paged) => page.next_cursor ?? undefined,
};

export const tenantOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'tenant'],
    staleTime: 60_000,
    queryFn: () => told(api.GET('/api/v1/tenant')),
  });

export const profileOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business'],
    queryFn: () => told(api.GET('/api/v1/business')),
  });

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => told(api.GET('/api/v1/auth/sessions')),
});

export const membersOf = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'members'],
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/members', { params: { query: { limit: PAGE, cursor } } })),
    ...paging,
  });

export const keysOf = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'keys'],
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/api-keys', { params: { query: { limit: PAGE, cursor } } })),
    ...paging,
  });

export const secretsOf = (tenant: string) =>
  queryOptions({ queryKey: [tenant, 'secrets'], queryFn: () => told(api.GET('/api/v1/secrets')) });

export const usageOf = (tenant: string) =>
  queryOptions({ queryKey: [tenant, 'usage'], queryFn: () => told(api.GET('/api/v1/usage')) });

export const creditsOf = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'usage', 'credits'],
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/usage/credits', { params: { query: { limit: 20, cursor } } })),
    ...paging,
  });

export const pricesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'usage', 'prices'],
    queryFn: () => told(api.GET('/api/v1/usage/prices')),
  });

export type AuditFilter = { actor?: string; about?: string; from?: string; to?: string };

export const auditOf = (tenant: string, filter: AuditFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'audit', filter],
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/audit-log', { params: { query: { ...filter, limit: PAGE, cursor } } })),
    ...paging,
  });

export const jobsOf = (tenant: string, status?: Schemas['JobStatus']) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'jobs', status ?? 'all'],
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/jobs', { params: { query: { limit: PAGE, cursor, status } } })),
    ...paging,
  });

export const tenantPages = infiniteQueryOptions({
  queryKey: ['tenants', 'pages'],
  queryFn: ({ pageParam: cursor }) =>
    told(api.GET('/api/v1/tenants', { params: { query: { limit: PAGE, cursor } } })),
  ...paging,
});

export const receiptPages = infiniteQueryOptions({
  queryKey: ['deletion-receipts'],
  queryFn: ({ pageParam: cursor }) =>
    told(api.GET('/api/v1/deletion-receipts', { params: { query: { limit: PAGE, cursor } } })),
  ...paging,
});

export const userPages = infiniteQueryOptions({
  queryKey: ['users'],
  queryFn: ({ pageParam: cursor }) =>
    told(api.GET('/api/v1/users', { params: { query: { limit: PAGE, cursor } } })),
  ...paging,
});

export const plans = queryOptions({
  queryKey: ['plans'],
  queryFn: () => told(api.GET('/api/v1/plans')),
});

export const readiness = queryOptions({
  queryKey: ['readyz'],
  refetchInterval: 5_000,
  queryFn: () => told(api.GET('/readyz')),
});
