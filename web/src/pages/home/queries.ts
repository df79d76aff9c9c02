import { queryOptions } from '@tanstack/react-query';
import { api, told } from '../../api/client';

/** How many of each a home shows; whoever wants more goes to their page. */
export const SHOWN = 5;

/** Conversations in which somebody asked for a person. */
export const waitingConversations = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'conversations', 'waiting'],
    queryFn: () => {
      const query = { handoff: 'pending_human', status: 'open', sort: 'activity', limit: SHOWN + 1 } as const;
      return told(api.GET('/api/v1/conversations', { params: { query } }));
    },
  });

/** More bases than these are not asked, those with the most documents first. */
const MOST_BASES = 10;

type Base = { id: string; name: string; total_documents?: number };

/** Knowledge bases with documents that could not be read, and how many. */
export const failedDocuments = (tenant: string, bases: Base[]) => {
  const asked = bases
    .filter((base) => (base.total_documents ?? 0) > 0)
    .toSorted((a, b) => (b.total_documents ?? 0) - (a.total_documents ?? 0))
    .slice(0, MOST_BASES);
  return queryOptions({
    queryKey: [tenant, 'failed-documents', asked.map(({ id, total_documents }) => [id, total_documents])],
    // One request for each of them, so that it is not asked at each change.
    staleTime: 30_000,
    refetchInterval: 60_000,
    queryFn: async () => {
      const counted = await Promise.all(
        asked.map(async ({ id: kb, name }) => {
          const params = { path: { kb_id: kb } };
          const stats = await told(api.GET('/api/v1/knowledge-bases/{kb_id}/stats', { params }));
          return { kb, name, count: stats.documents_failed };
        }),
      );
      return counted.filter(({ count }) => count > 0);
    },
  });
};

export const proposedAnswers = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'learned', 'waiting'],
    queryFn: () =>
      told(
        api.GET('/api/v1/learned-answers', { params: { query: { status: 'proposed', limit: SHOWN + 1 } } }),
      ),
  });

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export const weekOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'series', 'week'],
    queryFn: () => {
      const from = new Date(Date.now() - WEEK_MS).toISOString();
      return told(api.GET('/api/v1/statistics/series', { params: { query: { from } } }));
    },
    staleTime: 60_000,
  });

/** Whether anybody talked to an agent yet. */
export const wasTried = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'usage', 'tried'],
    queryFn: async () => ((await told(api.GET('/api/v1/usage'))).counters.messages ?? 0) > 0,
  });

export const hasKeys = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'keys', 'any'],
    queryFn: async () =>
      (await told(api.GET('/api/v1/api-keys', { params: { query: { limit: 1 } } }))).data.length > 0,
  });
