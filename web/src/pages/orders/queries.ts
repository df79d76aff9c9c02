import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { isEnded, type Status } from './machine';

/** How often the board asks what is new. */
export const POLL = 30_000;
/** What waits is shown whole, as far as a board can; what ended only as far as it may still matter. */
const WAITING = 100;
const ENDED = 20;
const PAGE = 50;
/** More do not come in between two looks. */
const ARRIVING = 20;

export const ordersKey = (tenant: string) => [tenant, 'orders'];

export const columnOf = (tenant: string, status: Status, branch?: string) =>
  queryOptions({
    queryKey: [...ordersKey(tenant), 'board', status, branch ?? null],
    refetchInterval: POLL,
    queryFn: () => {
      const query = { status, branch_id: branch, limit: isEnded(status) ? ENDED : WAITING };
      return told(api.GET('/api/v1/orders', { params: { query } }));
    },
  });

/** The newest that wait, of all branches: what is new among them is told wherever somebody is. */
export const arrivingOf = (tenant: string) =>
  queryOptions({
    queryKey: [...ordersKey(tenant), 'arriving'],
    refetchInterval: POLL,
    // A new order is heard while another tab is looked at.
    refetchIntervalInBackground: true,
    queryFn: () =>
      told(api.GET('/api/v1/orders', { params: { query: { status: 'received', limit: ARRIVING } } })),
  });

type Filter = { status?: Status; branch?: string; customer?: string };

export const pastOrders = (tenant: string, { status, branch, customer }: Filter) =>
  infiniteQueryOptions({
    queryKey: [...ordersKey(tenant), 'list', { status, branch, customer }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const filter = { status, branch_id: branch, lead_id: customer };
      const query = { ...filter, limit: PAGE, cursor: pageParam };
      return told(api.GET('/api/v1/orders', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const orderOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...ordersKey(tenant), 'one', id],
    queryFn: () => told(api.GET('/api/v1/orders/{order_id}', { params: { path: { order_id: id } } })),
  });

/** What the business takes: kinds of orders and ways to pay. */
export const termsOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'terms'],
    staleTime: 60_000,
    queryFn: () => told(api.GET('/api/v1/business')),
  });

export const branchesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'branches', 'active'],
    staleTime: 60_000,
    queryFn: () => told(api.GET('/api/v1/branches', { params: { query: { limit: 200, active: true } } })),
  });
