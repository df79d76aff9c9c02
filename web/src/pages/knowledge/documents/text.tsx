import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { useGuard } from '../../../parts/guard';
import { GuardedDialog } from '../../../parts/guarded-dialog';
import { done } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { useOnce } from '../../settings/once';
import type { Document } from '../queries';

const LONGEST = 1_000_000;
const LONGEST_TITLE = 255;

type Written = { title: string; content: string };

/** A text that somebody types, or one that was typed and is changed. */
export function TextDialog({
  tenant,
  kb,
  opened,
  close,
}: {
  tenant: string;
  kb: string;
  opened: Document | 'new' | undefined;
  close: () => void;
}) {
  const t = useTexts();
  const document = opened === 'new' ? undefined : opened;
  return (
    <GuardedDialog
      opened={opened !== undefined}
      onClose={close}
      title={document ? t.documents.editText : t.documents.addText}
      size="lg"
    >
      {document && <KnownText tenant={tenant} kb={kb} document={document} close={close} />}
      {opened === 'new' && <TextForm tenant={tenant} kb={kb} saved={close} />}
    </GuardedDialog>
  );
}

function KnownText({
  tenant,
  kb,
  document,
  close,
}: {
  tenant: string;
  kb: string;
  document: Document;
  close: () => void;
}) {
  const path = { kb_id: kb, document_id: document.id };
  // What was typed is the original: what was read of it may be older.
  const text = useQuery({
    // Somebody writes in it: what changes elsewhere does not have it read again.
    queryKey: [tenant, 'typed-text', kb, document.id],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/download', {
          params: { path },
          parseAs: 'text',
        }),
      ),
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  });
  if (text.isPending) return <ListSkeleton rows={3} />;
  if (text.data === undefined) return <FailureNotice error={text.error} again={text.refetch} />;
  const before = { title: document.title ?? '', content: String(text.data) };
  return <TextForm tenant={tenant} kb={kb} document={document} before={before} saved={close} />;
}

const NOTHING: Written = { title: '', content: '' };

/** Where a text is typed. One that is there begins with what was typed before. */
export function TextForm({
  tenant,
  kb,
  document,
  before: current = NOTHING,
  saved,
}: {
  tenant: string;
  kb: string;
  document?: Document;
  before?: Written;
  saved?: () => void;
}) {
  const t = useTexts();
  const words = t.documents;
  const queries = useQueryClient();
  const key = useOnce();
  // What was typed is compared with what the form began with, whatever is read later.
  const [before] = useState(current);
  const form = useForm<Written>({ initialValues: before });
  const letGo = useGuard(() => form.isDirty());
  const saving = useMutation({
    mutationFn: async ({ title, content }: Written) => {
      const named = title.trim() || null;
      if (!document) {
        const body = { content, ...(named ? { title: named } : {}) };
        const params = { path: { kb_id: kb }, header: key.header(body) };
        return told(api.POST('/api/v1/knowledge-bases/{kb_id}/documents/text', { params, body }));
      }
      const params = { path: { kb_id: kb, document_id: document.id } };
      if (title !== before.title)
        await told(
          api.PATCH('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}', {
            params,
            body: { title: named },
          }),
        );
      if (content === before.content) return document;
      return told(
        api.PUT('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/text', {
          params,
          body: { content },
        }),
      );
    },
    onSuccess: async () => {
      done(document ? words.textChanged : words.textAdded);
      key.forget();
      letGo();
      form.reset();
      saved?.();
      await queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.isError && <FailureNotice error={saving.error} />}
        <TextInput label={words.title} maxLength={LONGEST_TITLE} {...form.getInputProps('title')} />
        <Textarea
          label={words.content}
          required
          autosize
          minRows={4}
          maxRows={18}
          maxLength={LONGEST}
          {...form.getInputProps('content')}
        />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {document ? words.changedHint : words.addedHint}
          </Text>
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={!form.isDirty() || !form.values.content.trim()}
          >
            {document ? t.common.save : words.addThis}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
