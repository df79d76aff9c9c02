import { Alert, Button, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError, api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { agentOf, type SavedAgent, type SavedDraft, savedDraftOf } from '../queries';
import { SaveFailure } from '../section';

/** An agent as its draft has it. */
export const withDraft = (agent: SavedAgent, draft: SavedDraft): SavedAgent => ({
  ...agent,
  ...draft.configuration,
  warnings: draft.warnings,
});

/** Reads everything of agents again but for a draft that is gone, which nobody asks for any more. */
export async function withoutDraft(queries: QueryClient, tenant: string, agent: string) {
  const { queryKey } = savedDraftOf(tenant, agent);
  const isDraft = (key: readonly unknown[]) => queryKey.every((part, at) => key[at] === part);
  await queries.invalidateQueries({
    queryKey: [tenant, 'agents'],
    predicate: (query) => !isDraft(query.queryKey),
  });
  queries.removeQueries({ queryKey });
}

type Props = {
  tenant: string;
  agent: SavedAgent;
  /** Given the agent as it is edited, and the revision of the draft, which is null where there is none. */
  children: (edited: SavedAgent, revision: string | null) => ReactNode;
};

/** Whoever changes an agent changes its draft, where there is one. */
export function Edited({ tenant, agent, children }: Props) {
  const draft = useQuery({ ...savedDraftOf(tenant, agent.id), enabled: agent.draft != null });
  const drafted = draft.data && { edited: withDraft(agent, draft.data), revision: draft.data.revision };
  const current = agent.draft == null ? { edited: agent, revision: null } : drafted;
  const last = useRef(current);
  useEffect(() => {
    if (current) last.current = current;
  });
  // A draft that somebody else begins is on its way: what is typed meanwhile stays.
  const shown = current ?? last.current;
  if (shown) return children(shown.edited, shown.revision);
  if (draft.isError) return <FailureNotice error={draft.error} again={draft.refetch} />;
  return <ListSkeleton />;
}

/** Begins a draft or changes it, and leaves what is live as it is. */
export function useDraftSaving(tenant: string, agent: SavedAgent, saved?: (draft: SavedDraft) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['SaveDraft']) =>
      told(api.PUT('/api/v1/agents/{agent}/draft', { params: { path: { agent: agent.id } }, body })),
    onSuccess: (draft) => {
      queries.setQueryData(savedDraftOf(tenant, agent.id).queryKey, draft);
      // Whoever looks at the agent sees at once that it has a draft.
      const { revision, based_on, outdated, changed_by, changed_at } = draft;
      const mark = { revision, based_on, outdated, changed_by, changed_at };
      queries.setQueryData(
        agentOf(tenant, agent.slug).queryKey,
        (known) => known && { ...known, draft: mark },
      );
      // Whoever sees it may go on at once, and has nothing unsaved any more.
      saved?.(draft);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
  });
}

/** Why a form was not saved, and what to do when somebody else was faster. */
export function DraftFailure({ error, load }: { error: unknown; load: () => void }) {
  const t = useTexts();
  if (!(error instanceof ApiError) || error.code !== 'DRAFT_CHANGED') return <SaveFailure error={error} />;
  return (
    <Alert color="ochre" role="alert" title={t.versions.changed}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.versions.changedText}</Text>
        <Button size="xs" variant="default" onClick={load}>
          {t.versions.load}
        </Button>
      </Stack>
    </Alert>
  );
}
