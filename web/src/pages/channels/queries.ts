import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import type { DeliveryState } from '../../routes/channels';

export type Connection = Schemas['ChannelConnection'];
export type Report = Schemas['ChannelReport'];
export type Template = Schemas['ChannelTemplateInfo'];
export type Outbound = Schemas['Page_OutboundRecord']['data'][number];

const PAGE = 50;

export const channelsKey = (tenant: string) => [tenant, 'channels'] as const;

export const channelPages = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey(tenant), 'pages'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/channels', { params: { query: { limit: PAGE, cursor } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

const pathOf = (connection: string) => ({ params: { path: { connection_id: connection } } });

export const channelOf = (tenant: string, connection: string) =>
  queryOptions({
    queryKey: [...channelsKey(tenant), 'one', connection] as const,
    queryFn: () => told(api.GET('/api/v1/channels/{connection_id}', pathOf(connection))),
  });

/** Where the channel delivers to. It is the same for as long as the connection is there. */
export const webhookOf = (tenant: string, connection: string) =>
  queryOptions({
    queryKey: [tenant, 'channel-webhooks', connection] as const,
    queryFn: () => told(api.GET('/api/v1/channels/{connection_id}/webhook', pathOf(connection))),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Asked of the channel itself, which takes its time and counts how often. */
export const templatesOf = (tenant: string, connection: string) =>
  queryOptions({
    queryKey: [tenant, 'channel-templates', connection] as const,
    queryFn: () => told(api.GET('/api/v1/channels/{connection_id}/templates', pathOf(connection))),
    staleTime: 5 * 60_000,
    retry: false,
  });

export const sentPages = (tenant: string, connection: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey(tenant), 'sent', connection, state ?? 'all'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => {
      const query = { connection_id: connection, state, limit: PAGE, cursor };
      return told(api.GET('/api/v1/channel-messages', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const costOf = (tenant: string, connection: string, month: string) =>
  queryOptions({
    queryKey: [...channelsKey(tenant), 'cost', connection, month] as const,
    queryFn: () => {
      const params = { path: { connection_id: connection }, query: { month } };
      return told(api.GET('/api/v1/channels/{connection_id}/cost', { params }));
    },
  });

export const checkChannel = (connection: string): Promise<Report> =>
  told(api.POST('/api/v1/channels/{connection_id}/check', pathOf(connection)));

export const changeChannel = (connection: string, body: Schemas['UpdateChannel']): Promise<Connection> =>
  told(api.PATCH('/api/v1/channels/{connection_id}', { ...pathOf(connection), body }));

export const endChannel = (connection: string): Promise<unknown> =>
  told(api.DELETE('/api/v1/channels/{connection_id}', pathOf(connection)));
