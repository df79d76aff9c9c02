import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, told } from '../../api/client';
import type { Outbound } from '../channels/queries';
import { type PageOf, POLL_MS, useNewest } from './newest';
import { conversationsKey, newestFirst } from './queries';

/** How far a message has come to its customer. */
export type Delivery = { state: Outbound['state']; reason: string | undefined };

const RECORDS = 100;
/** Of what is on its way, the last few. */
const NEW_RECORDS = 30;
/** Nothing tells that a message has come further, so that it is asked for while that is to be expected. */
const SOON_MS = 4_000;
const EXPECTED_MS = 2 * 60_000;

/** How far one has come before another: a message in several bubbles has come as far as the last of them. */
const WAY: readonly Delivery['state'][] = ['failed', 'waiting', 'sending', 'sent', 'delivered', 'read'];

function load(id: string, limit: number, cursor?: string): Promise<PageOf<Outbound>> {
  const query = { conversation_id: id, limit, cursor };
  return told(api.GET('/api/v1/channel-messages', { params: { query } }));
}

const deliveriesOf = (tenant: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'delivery-pages', id] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => load(id, RECORDS, pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // The newest are asked for again by themselves.
    staleTime: Number.POSITIVE_INFINITY,
  });

const isUnderWay = ({ state, created_at: at }: Outbound) =>
  state !== 'read' &&
  state !== 'delivered' &&
  state !== 'failed' &&
  Date.now() - Date.parse(at) < EXPECTED_MS;

function byMessage(records: Outbound[]): ReadonlyMap<string, Delivery> {
  const found = new Map<string, Delivery>();
  for (const { message_id: id, state, fault } of records) {
    if (!id) continue;
    const known = found.get(id);
    if (known && WAY.indexOf(known.state) <= WAY.indexOf(state)) continue;
    found.set(id, { state, reason: fault?.message });
  }
  return found;
}

const NOTHING: Outbound[] = [];

/** How far what was sent in a conversation has come, by message, as far back as is worth knowing. */
export function useDeliveries(tenant: string, id: string, isWanted: boolean): ReadonlyMap<string, Delivery> {
  const options = deliveriesOf(tenant, id);
  const list = useInfiniteQuery({ ...options, enabled: isWanted });
  const records = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? NOTHING, [list.data]);
  useNewest({
    listKey: options.queryKey,
    newestKey: [...conversationsKey(tenant), 'newest deliveries', id],
    load: () => load(id, NEW_RECORDS),
    compare: newestFirst,
    enabled: isWanted && list.isSuccess,
    every: records.slice(0, NEW_RECORDS).some(isUnderWay) ? SOON_MS : POLL_MS,
  });
  return useMemo(() => byMessage(records), [records]);
}
