import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import type { Period } from '../../routes/metrics';
import { spans } from './periods';

type Which = 'now' | 'before';

const RECENT = 20;

const asked = (period: Period, zone: string, which: Which) => {
  const { from, to } = spans(period, new Date(), zone)[which];
  return { from: from.toISOString(), to: to.toISOString() };
};

/**
 * How an agent or all of them do as time goes by, in a period that ends now or in the one before it:
 * hours of a day, days, or weeks where there would be too many days.
 */
export const seriesOf = (
  tenant: string,
  agent: string | undefined,
  period: Period,
  zone: string,
  which: Which,
) =>
  queryOptions({
    queryKey: [tenant, 'figures', agent ?? 'all', period, zone, 'series', which],
    staleTime: 30_000,
    queryFn: () => {
      const every = period === 'today' ? ('hour' as const) : period === '90d' ? 'week' : 'day';
      const query = { agent, every, ...asked(period, zone, which) } as const;
      return told(api.GET('/api/v1/statistics/series', { params: { query } }));
    },
  });

export const toolsOf = (tenant: string, agent: string | undefined, period: Period, zone: string) =>
  queryOptions({
    queryKey: [tenant, 'figures', agent ?? 'all', period, zone, 'tools'],
    staleTime: 30_000,
    queryFn: () => {
      const query = { agent, ...asked(period, zone, 'now') };
      return told(api.GET('/api/v1/statistics/tools', { params: { query } }));
    },
  });

export const providersOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'figures', 'providers'],
    refetchInterval: 15_000,
    queryFn: () => told(api.GET('/api/v1/statistics/providers')),
  });

export const comparisonOf = (tenant: string, agent: string, period: Period, zone: string) =>
  queryOptions({
    queryKey: [tenant, 'figures', agent, period, zone, 'comparison'],
    staleTime: 30_000,
    queryFn: () =>
      told(
        api.GET('/api/v1/agents/{agent}/comparison', {
          params: { path: { agent }, query: asked(period, zone, 'now') },
        }),
      ),
  });

export const searchesOf = (tenant: string, agent: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'retrievals', agent],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/retrievals', { params: { query: { agent_id: agent, limit: RECENT, cursor } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const callsOf = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'tool-calls'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/tool-calls', { params: { query: { limit: RECENT, cursor } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
