import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';

export type Agent = Schemas['Agent'];
export type SavedAgent = Schemas['SavedAgent'];
export type SavedDraft = Schemas['SavedDraft'];
export type AgentVersion = Schemas['AgentVersion'];
export type FieldDifference = Schemas['FieldDifference'];
export type Instruction = Schemas['Item_Instruction'];
export type Tool = Schemas['ToolDescription'];

/** Settings that nobody has saved, of what is live or of the draft. */
export const unsavedOf = (
  draft: boolean,
  settings: Record<string, unknown> | null,
): Schemas['UnsavedAgent'] => ({
  draft,
  settings,
  name: null,
  company_name: null,
  vertical: null,
  language: null,
});

export const agentsOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'agents'],
    queryFn: () => told(api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })),
  });

export const agentPages = (tenant: string) =>
  infiniteQueryOptions({
    // An agent may be called by any one word.
    queryKey: [tenant, 'agents', 'all', 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/agents', { params: { query: { limit: 60, cursor } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const agentOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}', { params: { path: { agent } } })),
  });

export const savedDraftOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'draft'],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}/draft', { params: { path: { agent } } })),
  });

export const draftDifferenceOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'draft', 'difference'],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}/draft/difference', { params: { path: { agent } } })),
  });

export const versionPages = (tenant: string, agent: string) =>
  infiniteQueryOptions({
    queryKey: [tenant, 'agents', agent, 'versions', 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(
        api.GET('/api/v1/agents/{agent}/versions', {
          params: { path: { agent }, query: { limit: 30, cursor } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** What a version and another state differ in, which is `live`, `draft` or the number of a version. */
export const versionDifferenceOf = (tenant: string, agent: string, number: number, against: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'versions', number, against],
    queryFn: () =>
      told(
        api.GET('/api/v1/agents/{agent}/versions/{version_number}/difference', {
          params: { path: { agent, version_number: number }, query: { against } },
        }),
      ),
  });

export const promptsOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'prompts'],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}/prompts', { params: { path: { agent } } })),
  });

export const toolsOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent, 'tools'],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}/tools', { params: { path: { agent } } })),
    staleTime: 60_000,
  });

export const promptingOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'prompting'],
    queryFn: () => told(api.GET('/api/v1/business/prompting')),
  });

export const turnOf = (tenant: string, turn: string) =>
  queryOptions({
    queryKey: [tenant, 'turns', turn],
    // A turn is written down a moment after it was answered.
    retry: 5,
    retryDelay: 500,
    queryFn: () => told(api.GET('/api/v1/turns/{turn_id}', { params: { path: { turn_id: turn } } })),
  });

export const instructionsKey = (tenant: string) => [tenant, 'instructions'] as const;

export const instructionPages = (tenant: string, active: boolean | undefined) =>
  infiniteQueryOptions({
    queryKey: [...instructionsKey(tenant), 'pages', active ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(api.GET('/api/v1/instructions', { params: { query: { limit: 100, active, cursor } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const instructionOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...instructionsKey(tenant), 'one', id],
    queryFn: () =>
      told(api.GET('/api/v1/instructions/{instruction_id}', { params: { path: { instruction_id: id } } })),
    staleTime: 60_000,
  });

export const statisticsOf = (tenant: string) =>
  queryOptions({
    queryKey: [...instructionsKey(tenant), 'statistics'],
    queryFn: () => told(api.GET('/api/v1/instructions/statistics')),
  });

export const branchesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'branches', 'named'],
    queryFn: () => told(api.GET('/api/v1/branches', { params: { query: { limit: 200 } } })),
    staleTime: 60_000,
  });
