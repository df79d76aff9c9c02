import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import type { InboxSearch } from '../../routes/conversations';
import type { PageOf } from './newest';

export type Message = Schemas['Page_Message']['data'][number];
export type HandoffMode = Schemas['HandoffMode'];
export type LearnedAnswer = Schemas['LearnedAnswer'];

/** A conversation, with what a list tells of it besides. */
export type Conversation = Schemas['Conversation'] & Partial<Schemas['ConversationRow']>;

export type TurnDetails = Schemas['TurnDetails'];

const ROWS = 50;
const MESSAGES = 100;
/** What is new since a few seconds ago. */
const NEW_MESSAGES = 30;

const lastOf = (row: Conversation) => Date.parse(row.last_message_at ?? row.created_at);
/** What moved last comes first. */
export const byActivity = (a: Conversation, b: Conversation) => lastOf(b) - lastOf(a);
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
/** Ids of messages grow with time. */
export const newestFirst = byId;

export const conversationsKey = (tenant: string) => [tenant, 'conversations'] as const;
/** What was loaded page by page. Only its top is read again by itself: see `useNewest`. */
export const pagesKey = (tenant: string) => [tenant, 'conversation-pages'] as const;

export function loadConversations(search: InboxSearch, cursor?: string): Promise<PageOf<Conversation>> {
  const { handoff, agent, channel, q } = search;
  const status = search.status === 'all' ? undefined : (search.status ?? ('open' as const));
  const query = {
    handoff,
    channel,
    status,
    agent_id: agent,
    q,
    sort: 'activity' as const,
    limit: ROWS,
    cursor,
  };
  return told(api.GET('/api/v1/conversations', { params: { query } }));
}

export const conversationsOf = (tenant: string, search: InboxSearch) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey(tenant), search] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => loadConversations(search, pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const conversationOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...conversationsKey(tenant), 'one', id] as const,
    queryFn: () =>
      told(api.GET('/api/v1/conversations/{conversation_id}', { params: { path: { conversation_id: id } } })),
  });

export function loadMessages(id: string, limit: number, cursor?: string): Promise<PageOf<Message>> {
  const params = { path: { conversation_id: id }, query: { include_notes: true, limit, cursor } };
  return told(api.GET('/api/v1/conversations/{conversation_id}/messages', { params }));
}

export type Written = {
  role: 'human' | 'note';
  text: string;
  /** The same words sent again after a failure are the same message. */
  key: { 'Idempotency-Key': string };
};

export async function sendMessage(id: string, { role, text, key }: Written): Promise<Message> {
  const params = { path: { conversation_id: id }, header: key };
  const sent = api.POST('/api/v1/conversations/{conversation_id}/messages', { params, body: { role, text } });
  return told(sent);
}

export const loadNewMessages = (id: string) => loadMessages(id, NEW_MESSAGES);

export const messagesOf = (tenant: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'message-pages', id] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => loadMessages(id, MESSAGES, pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // What was said does not change; what is new is added to it.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What happened to a conversation, asked for again only when something did. */
export const historyOf = (tenant: string, conversation: Schemas['Conversation']) =>
  queryOptions({
    queryKey: [
      ...conversationsKey(tenant),
      'history',
      conversation.id,
      conversation.handoff.at,
      conversation.status,
    ] as const,
    queryFn: () =>
      told(
        api.GET('/api/v1/conversations/{conversation_id}/history', {
          params: { path: { conversation_id: conversation.id } },
        }),
      ),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const attachmentsOf = (tenant: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...conversationsKey(tenant), 'attachments', id] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const params = { path: { conversation_id: id }, query: { limit: ROWS, cursor: pageParam } };
      return told(api.GET('/api/v1/conversations/{conversation_id}/attachments', { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const turnOf = (tenant: string, turn: string) =>
  queryOptions({
    queryKey: [tenant, 'turns', turn],
    // A turn is written down a moment after it was answered.
    retry: 3,
    retryDelay: 500,
    queryFn: (): Promise<TurnDetails> =>
      told(api.GET('/api/v1/turns/{turn_id}', { params: { path: { turn_id: turn } } })),
  });

/** What the tools of an agent do, in the language of the reader. */
export const toolsOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'tools'],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}/tools', { params: { path: { agent } } })),
    staleTime: 300_000,
  });

export const learnedKey = (tenant: string) => [tenant, 'learned'] as const;

/** What people answered in place of an agent and nobody decided about yet. */
export const proposalsOf = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: [...learnedKey(tenant), 'proposed'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { status: 'proposed', limit: 200, cursor: pageParam } as const;
      return told(api.GET('/api/v1/learned-answers', { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 30_000,
  });

/** Who there is, at once and only to be called by name: the settings have them page by page. */
export const membersOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'members', 'names'],
    queryFn: () => told(api.GET('/api/v1/members', { params: { query: { limit: 200 } } })),
    staleTime: 300_000,
  });
