import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, once, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { Dialog } from '../../settings/parts/dialog';
import { type Document, documentsKey } from '../queries';

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
  const [dirty, setDirty] = useState(false);
  const leave = () => {
    if (dirty && !window.confirm(t.common.unsaved)) return;
    setDirty(false);
    close();
  };
  const document = opened === 'new' ? undefined : opened;
  return (
    <Dialog
      opened={opened !== undefined}
      onClose={leave}
      title={document ? t.documents.editText : t.documents.addText}
      size="lg"
    >
      {document && <KnownText tenant={tenant} kb={kb} document={document} touched={setDirty} close={close} />}
      {opened === 'new' && (
        <TextForm
          tenant={tenant}
          kb={kb}
          before={{ title: '', content: '' }}
          touched={setDirty}
          saved={() => {
            setDirty(false);
            close();
          }}
        />
      )}
    </Dialog>
  );
}

function KnownText({
  tenant,
  kb,
  document,
  touched,
  close,
}: {
  tenant: string;
  kb: string;
  document: Document;
  touched: (dirty: boolean) => void;
  close: () => void;
}) {
  const path = { kb_id: kb, document_id: document.id };
  // What was typed is the original: what was read of it may be older.
  const text = useQuery({
    queryKey: [...documentsKey(tenant, kb), 'typed', document.id],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/download', {
          params: { path },
          parseAs: 'text',
        }),
      ),
    staleTime: 0,
    gcTime: 0,
    // Somebody writes in it.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  });
  if (text.isError) return <FailureNotice error={text.error} again={text.refetch} />;
  if (text.isPending) return <ListSkeleton rows={3} />;
  return (
    <TextForm
      tenant={tenant}
      kb={kb}
      document={document}
      before={{ title: document.title ?? '', content: String(text.data) }}
      touched={touched}
      saved={() => {
        touched(false);
        close();
      }}
    />
  );
}

export function TextForm({
  tenant,
  kb,
  document,
  before,
  touched,
  saved,
}: {
  tenant: string;
  kb: string;
  document?: Document;
  before: Written;
  touched?: (dirty: boolean) => void;
  saved?: () => void;
}) {
  const t = useTexts();
  const words = t.documents;
  const queries = useQueryClient();
  const form = useForm<Written>({
    initialValues: before,
    onValuesChange: (now) => touched?.(now.title !== before.title || now.content !== before.content),
  });
  const saving = useMutation({
    mutationFn: async ({ title, content }: Written) => {
      const named = title.trim() || null;
      if (!document) {
        const params = { path: { kb_id: kb }, header: once() };
        const body = { content, ...(named ? { title: named } : {}) };
        return told(api.POST('/api/v1/knowledge-bases/{kb_id}/documents/text', { params, body }));
      }
      const params = { path: { kb_id: kb, document_id: document.id } };
      if (named !== (document.title ?? null))
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
