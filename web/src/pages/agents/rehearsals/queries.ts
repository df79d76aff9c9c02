import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import type { AgentSearch } from '../../../routes/agents';
import { useOnce } from '../../settings/once';

export type Run = Schemas['RehearsalRun'];
export type Script = Schemas['RehearsalScript'];
export type Result = Schemas['RehearsalResult'];

export const rehearsalsKey = (tenant: string, agent: string) => [tenant, 'rehearsals', agent] as const;

export const runPages = (tenant: string, agent: string) =>
  infiniteQueryOptions({
    queryKey: [...rehearsalsKey(tenant, agent), 'runs'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(
        api.GET('/api/v1/agents/{agent}/rehearsals', {
          params: { path: { agent }, query: { limit: 20, cursor } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const runOf = (tenant: string, agent: string, run: string) =>
  queryOptions({
    queryKey: [...rehearsalsKey(tenant, agent), 'run', run],
    queryFn: () =>
      told(
        api.GET('/api/v1/agents/{agent}/rehearsals/{rehearsal_id}', {
          params: { path: { agent, rehearsal_id: run } },
        }),
      ),
  });

export const resultPages = (tenant: string, agent: string, run: string, only: AgentSearch['only']) =>
  infiniteQueryOptions({
    queryKey: [...rehearsalsKey(tenant, agent), 'results', run, only ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      told(
        api.GET('/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/results', {
          params: { path: { agent, rehearsal_id: run }, query: { limit: 50, cursor, only } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** There are at most as many scripts as a page has. */
export const scriptsOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [...rehearsalsKey(tenant, agent), 'scripts'],
    queryFn: () =>
      told(
        api.GET('/api/v1/agents/{agent}/rehearsals/scripts', {
          params: { path: { agent }, query: { limit: 200 } },
        }),
      ),
  });

function useRefresh(tenant: string, agent: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: rehearsalsKey(tenant, agent) });
}

/** Writes a script, or replaces the one with this id. */
export function useScriptSaving(tenant: string, agent: string, id: string | undefined) {
  const refresh = useRefresh(tenant, agent);
  const key = useOnce();
  return useMutation({
    mutationFn: (body: Schemas['SaveScript']) =>
      id
        ? told(
            api.PUT('/api/v1/agents/{agent}/rehearsals/scripts/{script_id}', {
              params: { path: { agent, script_id: id } },
              body,
            }),
          )
        : told(
            api.POST('/api/v1/agents/{agent}/rehearsals/scripts', {
              params: { path: { agent }, header: key.header(body) },
              body,
            }),
          ),
    onSuccess: async () => {
      key.forget();
      await refresh();
    },
  });
}

export function useScriptDeletion(tenant: string, agent: string, id: string) {
  return useMutation({
    mutationFn: () =>
      told(
        api.DELETE('/api/v1/agents/{agent}/rehearsals/scripts/{script_id}', {
          params: { path: { agent, script_id: id } },
        }),
      ),
    onSuccess: useRefresh(tenant, agent),
  });
}

export function useRehearsalStart(tenant: string, agent: string) {
  const refresh = useRefresh(tenant, agent);
  const key = useOnce();
  return useMutation({
    mutationFn: (body: Schemas['StartRehearsal']) =>
      told(
        api.POST('/api/v1/agents/{agent}/rehearsals', {
          params: { path: { agent }, header: key.header(body) },
          body,
        }),
      ),
    onSuccess: async () => {
      key.forget();
      await refresh();
    },
  });
}

export function useRehearsalStop(tenant: string, agent: string, run: string) {
  return useMutation({
    mutationFn: () =>
      told(
        api.POST('/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/stop', {
          params: { path: { agent, rehearsal_id: run } },
        }),
      ),
    onSuccess: useRefresh(tenant, agent),
  });
}

export function useRehearsalDeletion(tenant: string, agent: string, run: string) {
  return useMutation({
    mutationFn: () =>
      told(
        api.DELETE('/api/v1/agents/{agent}/rehearsals/{rehearsal_id}', {
          params: { path: { agent, rehearsal_id: run } },
        }),
      ),
    onSuccess: useRefresh(tenant, agent),
  });
}

export function useVerdict(tenant: string, agent: string, result: Result) {
  return useMutation({
    mutationFn: (verdict: Schemas['RehearsalVerdict']) =>
      told(
        api.PATCH('/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/results/{result_id}', {
          params: { path: { agent, rehearsal_id: result.run_id, result_id: result.id } },
          body: { verdict },
        }),
      ),
    onSuccess: useRefresh(tenant, agent),
  });
}

/** Makes a script of what a customer said. */
export function useScriptFromConversation(tenant: string, agent: string) {
  const refresh = useRefresh(tenant, agent);
  return useMutation({
    mutationFn: (conversation: string) =>
      told(
        api.POST('/api/v1/agents/{agent}/rehearsals/scripts/from-conversation', {
          params: { path: { agent } },
          body: { conversation_id: conversation },
        }),
      ),
    onSuccess: refresh,
  });
}
