import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { useOnce } from '../../settings/once';
import { BELOW } from '../../settings/parts/below';
import { agentOf, type SavedAgent, versionDifferenceOf } from '../queries';
import { DifferenceList } from './difference';

type Props = { tenant: string; agent: SavedAgent; number: number; close: () => void };

/** Makes an older version live again, once it was seen what that changes. */
export function RestoreForm({ tenant, agent, number, close }: Props) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = useOnce();
  const [note, setNote] = useState('');
  const live = agent.version ?? 1;
  const difference = useQuery(versionDifferenceOf(tenant, agent.id, live, String(number)));
  const restoring = useMutation({
    mutationFn: () => {
      const body = { note: note.trim() || null };
      return told(
        api.POST('/api/v1/agents/{agent}/versions/{version_number}/restore', {
          params: {
            path: { agent: agent.id, version_number: number },
            header: key.header({ number, ...body }),
          },
          body,
        }),
      );
    },
    onSuccess: async (restored) => {
      close();
      done(t.versions.restored(restored.version ?? 1));
      queries.setQueryData(agentOf(tenant, restored.slug).queryKey, restored);
      await queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
    },
  });
  return (
    <Stack>
      <Text size="sm">{t.versions.restoreText}</Text>
      {agent.draft && <Text size="sm">{t.versions.restoreDraft}</Text>}
      {difference.isPending && <ListSkeleton />}
      {difference.isError && <FailureNotice error={difference.error} again={difference.refetch} />}
      {difference.isSuccess && <DifferenceList tenant={tenant} fields={difference.data.data} />}
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
      {restoring.isError && <FailureNotice error={restoring.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
        <Button loading={restoring.isPending} onClick={() => restoring.mutate()}>
          {t.versions.restore}
        </Button>
      </Group>
    </Stack>
  );
}
