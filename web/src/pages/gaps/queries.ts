import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import type { GapSearch } from '../../routes/gaps';

export type Gap = Schemas['KnowledgeGap'];
export type Answer = Schemas['ChatAnswer'];

export const gapsKey = (tenant: string) => [tenant, 'gaps'] as const;

export const gapsOf = (tenant: string, { status, agent }: GapSearch) =>
  queryOptions({
    queryKey: [...gapsKey(tenant), status ?? 'open', agent ?? ''] as const,
    queryFn: () => told(api.GET('/api/v1/gaps', { params: { query: { status: status ?? 'open', agent } } })),
  });

/** What was answered when somebody said that it did not help. */
export const answerOf = (tenant: string, turn: string) =>
  queryOptions({
    queryKey: [tenant, 'turns', turn] as const,
    queryFn: () => told(api.GET('/api/v1/turns/{turn_id}', { params: { path: { turn_id: turn } } })),
  });

/** The frequent question that was made of a gap. */
export const faqOf = (tenant: string, faq: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'faqs', faq] as const,
    queryFn: () => told(api.GET('/api/v1/faqs/{faq_id}', { params: { path: { faq_id: faq } } })),
    gcTime: 0,
  });

/** How many passages are shown that come nearest to a question. */
const NEAREST = 3;

/** What an agent knows that comes nearest, however far that is. */
export const nearestTo = (tenant: string, agent: string, query: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', 'nearest', agent, query] as const,
    queryFn: () =>
      told(
        api.POST('/api/v1/agents/{agent}/search', {
          params: { path: { agent } },
          body: { query, top_k: NEAREST, similarity_threshold: 0 },
        }),
      ),
  });
