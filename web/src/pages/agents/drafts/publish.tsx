import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { useOnce } from '../../settings/once';
import { BELOW } from '../../settings/parts/below';
import { Dialog } from '../../settings/parts/dialog';
import { agentOf, draftDifferenceOf, type SavedAgent } from '../queries';
import { DifferenceList } from '../versions/difference';
import { withoutDraft } from './editing';

type Props = {
  tenant: string;
  agent: SavedAgent;
  mark: Schemas['DraftMark'];
  opened: boolean;
  close: () => void;
};

/** What a draft changes of what is live. */
export function DraftDifference({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const difference = useQuery(draftDifferenceOf(tenant, agent.id));
  if (difference.isPending) return <ListSkeleton />;
  if (!difference.data) return <FailureNotice error={difference.error} again={difference.refetch} />;
  return <DifferenceList tenant={tenant} fields={difference.data.data} />;
}

/** Makes a draft what customers meet, once it was seen what that changes. */
export function PublishDialog({ opened, close, ...rest }: Props) {
  const t = useTexts();
  return (
    <Dialog opened={opened} onClose={close} title={t.versions.publishTitle} size="xl">
      <PublishForm {...rest} close={close} />
    </Dialog>
  );
}

function PublishForm({ tenant, agent, mark, close }: Omit<Props, 'opened'>) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = useOnce();
  const [note, setNote] = useState('');
  const [force, setForce] = useState(false);
  const publishing = useMutation({
    mutationFn: () => {
      const body = { note: note.trim() || null, revision: mark.revision, force: mark.outdated && force };
      return told(
        api.POST('/api/v1/agents/{agent}/draft/publish', {
          params: { path: { agent: agent.id }, header: key.header(body) },
          body,
        }),
      );
    },
    onSuccess: (published) => {
      close();
      done(t.versions.publishedAs(published.version ?? 1));
      queries.setQueryData(agentOf(tenant, published.slug).queryKey, published);
      void withoutDraft(queries, tenant, agent.id);
    },
    // Somebody may have been faster: what is shown is read again.
    onError: () => queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Dialogs stand inside the form that opens them, as far as events go.
        event.stopPropagation();
        publishing.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{t.versions.publishText}</Text>
        <DraftDifference tenant={tenant} agent={agent} />
        <Textarea
          label={t.versions.note}
          description={t.versions.noteHelp}
          {...BELOW}
          maxLength={500}
          autosize
          maxRows={6}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        {mark.outdated && (
          <Alert color="ochre" title={t.versions.outdated}>
            <Checkbox
              label={t.versions.force}
              checked={force}
              onChange={(event) => setForce(event.currentTarget.checked)}
            />
          </Alert>
        )}
        {publishing.isError && <FailureNotice error={publishing.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t.common.cancel}
          </Button>
          <Button type="submit" loading={publishing.isPending} disabled={mark.outdated && !force}>
            {t.versions.publish}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
