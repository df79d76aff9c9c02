import { Alert, Button, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError, api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { type SavedAgent, type SavedDraft, savedDraftOf } from '../queries';
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
  if (agent.draft == null) return children(agent, null);
  if (draft.isPending) return <ListSkeleton />;
  if (draft.isError) return <FailureNotice error={draft.error} again={draft.refetch} />;
  return children(withDraft(agent, draft.data), draft.data.revision);
}

/** Begins a draft or changes it, and leaves what is live as it is. */
export function useDraftSaving(tenant: string, agent: SavedAgent) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['SaveDraft']) =>
      told(api.PUT('/api/v1/agents/{agent}/draft', { params: { path: { agent: agent.id } }, body })),
    onSuccess: (draft) => queries.setQueryData(savedDraftOf(tenant, agent.id).queryKey, draft),
    onSettled: () => queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
  });
}

type Following<V> = {
  isDirty: () => boolean;
  setInitialValues: (values: V) => void;
  reset: () => void;
};

/**
 * Shows what others write into a draft as long as nothing was typed here. Returns which revision the
 * values of the form come from, and what takes the newest.
 */
export function useFollowing<V>(form: Following<V>, values: V, revision: string | null) {
  const seen = useRef(revision);
  const take = (newest: V, of: string | null) => {
    seen.current = of;
    form.setInitialValues(newest);
    form.reset();
  };
  useEffect(() => {
    if (seen.current !== revision && !form.isDirty()) take(values, revision);
  });
  return { seen, take, load: () => take(values, revision) };
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
