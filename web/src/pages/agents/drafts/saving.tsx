import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { problemsOf, useAgentSaving } from '../forms';
import type { SavedAgent } from '../queries';
import { DraftFailure, useDraftSaving, useFollowing, withDraft } from './editing';
import { PublishDialog } from './publish';

type EditedForm<V> = {
  isDirty: () => boolean;
  setInitialValues: (values: V) => void;
  reset: () => void;
  values: V;
  onSubmit: (act: (values: V) => void) => (event?: FormEvent<HTMLFormElement>) => void;
};

type Options<V> = {
  tenant: string;
  /** As its form shows it: with its draft, where there is one. */
  agent: SavedAgent;
  revision: string | null;
  form: EditedForm<V>;
  valuesOf: (agent: SavedAgent) => V;
  bodyOf: (values: V) => Schemas['SaveDraft'];
  show: (problems: Record<string, string>) => void;
  saved: string;
};

/** The two ways to save a form of an agent: for later, and for customers at once. */
export function useTwoWays<V>({ tenant, agent, revision, form, valuesOf, bodyOf, show, saved }: Options<V>) {
  const t = useTexts();
  const [publishing, { open, close }] = useDisclosure();
  const following = useFollowing(form, valuesOf(agent), revision);
  const live = useAgentSaving(tenant, agent, (changed) => {
    following.take(valuesOf(changed), null);
    done(saved);
  });
  const draft = useDraftSaving(tenant, agent);
  const onError = (error: unknown) => show(problemsOf(error, t));
  const saveDraft = (values: V, then?: () => void) => {
    live.reset();
    const body = { ...bodyOf(values), revision: following.seen.current };
    draft.mutate(body, {
      onError,
      onSuccess: (kept) => {
        following.take(valuesOf(withDraft(agent, kept)), kept.revision);
        done(t.versions.draftSaved);
        then?.();
      },
    });
  };
  const forLater = form.onSubmit((values) => saveDraft(values));
  const publish = form.onSubmit((values) => {
    if (revision == null) {
      draft.reset();
      live.mutate(bodyOf(values), { onError });
    } else if (form.isDirty()) saveDraft(values, open);
    else open();
  });
  const buttons = (
    <Stack gap="xs">
      {live.isError && <DraftFailure error={live.error} load={following.load} />}
      {draft.isError && (
        <DraftFailure
          error={draft.error}
          load={() => {
            following.load();
            draft.reset();
          }}
        />
      )}
      {revision != null && (
        <Text size="sm" c="dimmed">
          {t.versions.editing}
        </Text>
      )}
      <Group gap="sm">
        <Button type="submit" loading={live.isPending} disabled={revision == null && !form.isDirty()}>
          {t.versions.savePublish}
        </Button>
        <Button
          variant="default"
          loading={draft.isPending}
          disabled={!form.isDirty()}
          onClick={() => forLater()}
        >
          {t.versions.saveDraft}
        </Button>
      </Group>
      {agent.draft && (
        <PublishDialog tenant={tenant} agent={agent} mark={agent.draft} opened={publishing} close={close} />
      )}
    </Stack>
  );
  return { publish, buttons };
}
