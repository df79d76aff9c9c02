import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done, failed } from '../../../parts/notify';
import { FormSection } from '../../agents/section';
import { Dialog } from '../../settings/parts/dialog';
import { ReceiptDetails } from '../../settings/platform/receipt';
import type { KnowledgeBase } from '../queries';

type Props = { tenant: string; base: KnowledgeBase; documents: number; letGo: () => void };

/** Takes a knowledge base out of every search, or deletes it with everything in it. */
export function ArchiveAndDelete({ tenant, base, documents, letGo }: Props) {
  const t = useTexts();
  const words = t.baseSettings;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const archived = base.status === 'archived';
  const archiving = useMutation({
    mutationFn: () =>
      told(
        api.PATCH('/api/v1/knowledge-bases/{kb_id}', {
          params: { path: { kb_id: base.id } },
          body: { status: archived ? 'active' : 'archived' },
        }),
      ),
    onSuccess: () => done(archived ? words.broughtBack : words.putAway),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: [tenant, 'bases'] }),
  });
  return (
    <FormSection title={words.ending} text={words.endingText}>
      <Group>
        <Button variant="default" onClick={() => archiving.mutate()} loading={archiving.isPending}>
          {archived ? words.bringBack : words.archive}
        </Button>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {words.deleteBase}
        </Button>
      </Group>
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(base.name)}
        closeOnClickOutside={false}
      >
        <DeleteForm tenant={tenant} base={base} documents={documents} letGo={letGo} />
      </Dialog>
    </FormSection>
  );
}

/** What holds documents has to be named before it goes. The receipt is shown before its page is left. */
function DeleteForm({ tenant, base, documents, letGo }: Props) {
  const t = useTexts();
  const words = t.baseSettings;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const deleting = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/knowledge-bases/{kb_id}', { params: { path: { kb_id: base.id } } })),
    onSuccess: letGo,
  });
  const leave = async () => {
    await navigate({ to: '/t/$tenant/knowledge', params: { tenant } });
    queries.removeQueries({ queryKey: [tenant, 'bases', base.id] });
    await queries.invalidateQueries({ queryKey: [tenant, 'bases'] });
  };
  const sure = documents === 0 || typed.trim() === base.name;
  if (deleting.data)
    return (
      <Stack>
        <ReceiptDetails receipt={deleting.data} current={tenant} />
        <Button onClick={() => void leave()}>{words.toBases}</Button>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (sure) deleting.mutate();
      }}
    >
      <Stack>
        {deleting.isError && <FailureNotice error={deleting.error} />}
        <Alert color="red">
          <Text size="sm">{words.deleteText(documents)}</Text>
        </Alert>
        {documents > 0 && (
          <TextInput
            label={words.deleteType(base.name)}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Button type="submit" color="red" disabled={!sure} loading={deleting.isPending}>
          {words.deleteBase}
        </Button>
      </Stack>
    </form>
  );
}
