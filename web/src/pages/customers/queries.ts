import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import type { CustomersSearch } from '../../routes/customers';

export type Lead = Schemas['Lead'];
export type Temperature = Schemas['Temperature'];
export type Channel = Schemas['Channel'];
export type LeadFilter = Omit<CustomersSearch, 'view' | 'cols'>;

export const TEMPERATURES = ['hot', 'warm', 'cold'] as const satisfies readonly Temperature[];
export const CHANNELS = [
  'whatsapp',
  'instagram',
  'messenger',
  'tiktok',
  'voice',
  'web',
] as const satisfies readonly Channel[];

const PAGE = 50;
/** How many pages are looked through at a time for what the server cannot be asked for. */
const ROUNDS = 5;

/** What the server has no filter for: customers without a temperature, and a channel by itself. */
const isWanted = (filter: LeadFilter) => (lead: Lead) =>
  (filter.temperature !== 'none' || !lead.temperature) &&
  (!filter.channel || lead.identities.some((identity) => identity.channel === filter.channel));

/** One page, or as much as was looked through. */
export async function loadLeads(filter: LeadFilter, cursor?: string) {
  const { q, temperature, agent, channel, id } = filter;
  const asked = {
    q,
    temperature: temperature === 'none' ? undefined : temperature,
    agent_id: agent,
    ...(channel && id && { channel, external_id: id }),
  };
  const found: Lead[] = [];
  let next = cursor;
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = { ...asked, limit: PAGE, cursor: next };
    const page = await told(api.GET('/api/v1/leads', { params: { query } }));
    found.push(...page.data.filter(isWanted(filter)));
    next = page.next_cursor ?? undefined;
    if (!next || found.length >= PAGE / 2) break;
  }
  return { data: found, next_cursor: next };
}

export const leadsKey = (tenant: string) => [tenant, 'leads'] as const;
/** What was loaded page by page. Only its top is read again by itself: see `useNewest`. */
const pagesKey = (tenant: string) => [tenant, 'lead-pages'] as const;

/** Has everything read again that shows customers, by whoever changed one. */
export const leadChanged = (queries: QueryClient, tenant: string) =>
  Promise.all(
    [leadsKey(tenant), pagesKey(tenant), [tenant, 'conversations'], [tenant, 'conversation-pages']].map(
      (queryKey) => queries.invalidateQueries({ queryKey }),
    ),
  );

const paged = (filter: LeadFilter) => ({
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => loadLeads(filter, pageParam),
  getNextPageParam: (page: { next_cursor?: string }) => page.next_cursor,
});

export const leadsOf = (tenant: string, filter: LeadFilter) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey(tenant), filter] as const,
    ...paged(filter),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A column of the board, which is short and read again as a whole. */
export const columnOf = (tenant: string, filter: LeadFilter) =>
  infiniteQueryOptions({ queryKey: [...leadsKey(tenant), 'column', filter] as const, ...paged(filter) });

export const leadOf = (tenant: string, lead: string) =>
  queryOptions({
    queryKey: [...leadsKey(tenant), 'one', lead] as const,
    queryFn: () => told(api.GET('/api/v1/leads/{lead_id}', { params: { path: { lead_id: lead } } })),
    staleTime: 30_000,
  });

export const tenantOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'tenant'],
    queryFn: () => told(api.GET('/api/v1/tenant')),
    staleTime: 300_000,
  });

export const branchesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'branches', 'named'],
    queryFn: () => told(api.GET('/api/v1/branches', { params: { query: { limit: 200 } } })),
    staleTime: 60_000,
  });

/** How many rows each part of a customer's page shows at first. */
const PART = 20;

/** Those who are found by what is typed, the newest where nothing is. */
export const foundLeads = (tenant: string, q: string) =>
  queryOptions({
    queryKey: [...leadsKey(tenant), 'found', q] as const,
    queryFn: () => told(api.GET('/api/v1/leads', { params: { query: { q: q || undefined, limit: PART } } })),
    staleTime: 5_000,
  });

/** Read again whenever the temperature is another one. */
export const temperatureHistoryOf = (tenant: string, lead: Lead) =>
  infiniteQueryOptions({
    queryKey: [...leadsKey(tenant), 'temperatures', lead.id, lead.temperature ?? 'none'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const params = { path: { lead_id: lead.id }, query: { limit: PART, cursor: pageParam } };
      return told(api.GET('/api/v1/leads/{lead_id}/temperature-history', { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const conversationsOfLead = (tenant: string, lead: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'conversations', 'lead', lead],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { lead_id: lead, limit: PART, cursor: pageParam };
      return told(api.GET('/api/v1/conversations', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const appointmentsOfLead = (tenant: string, lead: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'appointments', 'lead', lead],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { lead_id: lead, limit: PART, cursor: pageParam };
      return told(api.GET('/api/v1/appointments', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const ordersOfLead = (tenant: string, lead: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'orders', 'lead', lead],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { lead_id: lead, limit: PART, cursor: pageParam };
      return told(api.GET('/api/v1/orders', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const balanceOf = (tenant: string, lead: string) =>
  queryOptions({
    queryKey: [tenant, 'loyalty', 'lead', lead, 'balance'],
    queryFn: () => told(api.GET('/api/v1/leads/{lead_id}/loyalty', { params: { path: { lead_id: lead } } })),
  });

export const movementsOf = (tenant: string, lead: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'loyalty', 'lead', lead, 'movements'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const params = { path: { lead_id: lead }, query: { limit: PART, cursor: pageParam } };
      return told(api.GET('/api/v1/leads/{lead_id}/loyalty/transactions', { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
