import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { followed, useFollowing } from '../../business/form/following';
import { patchBetween } from '../../business/form/values';
import { problemsOf, useAgentSaving } from '../forms';
import type { SavedAgent } from '../queries';
import { DraftFailure, useDraftSaving, withDraft } from './editing';
import { PublishDialog } from './publish';

/** A model with the settings of another is none that works. */
const WHOLE = ['model', 'fallback_model', 'voice_model'];

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
  /** What is meant where others changed the same field, which is taken as it was typed when left out. */
  over?: (began: V, typed: V, newest: V) => V;
  show: (problems: Record<string, string>) => void;
  saved: string;
};

/** The two ways to save a form of an agent: for later, and for customers at once. */
export function useTwoWays<V>(options: Options<V>) {
  const { tenant, agent, revision, form, valuesOf, bodyOf, over, show, saved } = options;
  const t = useTexts();
  const [publishing, { open, close }] = useDisclosure();
  const following = useFollowing(followed(form), valuesOf(agent), revision);
  const live = useAgentSaving(tenant, agent, (changed) => {
    following.take(valuesOf(changed));
    done(saved);
  });
  const draft = useDraftSaving(tenant, agent, (kept) => {
    following.take(valuesOf(withDraft(agent, kept)), kept.revision);
    done(t.versions.draftSaved);
  });
  const onError = (error: unknown) => show(problemsOf(error, t));
  /** Only what was changed is sent: what somebody else changed meanwhile stays. */
  const changesOf = (typed: V): Schemas['SaveDraft'] => {
    const { values } = following.began.current;
    const meant = over ? over(values, typed, valuesOf(agent)) : typed;
    return patchBetween(bodyOf(values), bodyOf(meant), WHOLE);
  };
  const saveDraft = (values: V, then?: () => void) => {
    live.reset();
    const body = { ...changesOf(values), revision: following.began.current.revision };
    draft.mutate(body, { onError, onSuccess: () => then?.() });
  };
  const forLater = form.onSubmit((values) => saveDraft(values));
  const publish = form.onSubmit((values) => {
    // A draft that came or went while somebody typed is told of, not written over.
    if (revision == null && following.began.current.revision == null) {
      draft.reset();
      live.mutate(changesOf(values), { onError });
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
