import { Button, Drawer, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { done, failed } from '../../parts/notify';
import { ListSkeleton } from '../../parts/skeletons';
import { type Formats, useFormats } from '../customers/formats';
import { attach, save } from './files';
import { attachmentsOf } from './queries';

/** The files of a conversation, and a way to add one. */
export function AttachmentDrawer({
  tenant,
  id,
  opened,
  close,
}: {
  tenant: string;
  id: string;
  opened: boolean;
  close: () => void;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const list = useInfiniteQuery({ ...attachmentsOf(tenant, id), enabled: opened });
  const files = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      title={t.conversations.files}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack>
        <FileSender tenant={tenant} id={id} />
        {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
        {opened && list.isPending && <ListSkeleton rows={3} />}
        {list.isSuccess && files.length === 0 && (
          <Text c="dimmed" size="sm">
            {t.conversations.noFiles}
          </Text>
        )}
        {files.map((file) => (
          <FileRow key={file.id} file={file} formats={formats} />
        ))}
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t.common.more}
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}

function FileRow({ file, formats }: { file: Schemas['Attachment']; formats: Formats }) {
  const t = useTexts();
  const saving = useMutation({ mutationFn: () => save(file), onError: failed });
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text size="sm" truncate>
            {file.filename}
          </Text>
          <Text size="xs" c="dimmed">
            {formats.bytes(file.size_bytes)} · {formats.full(file.created_at)}
          </Text>
        </Stack>
        <Button
          size="compact-xs"
          variant="light"
          loading={saving.isPending}
          onClick={() => saving.mutate()}
          aria-label={t.conversations.downloadOf(file.filename)}
        >
          {t.conversations.download}
        </Button>
      </Group>
    </Paper>
  );
}

function FileSender({ tenant, id }: { tenant: string; id: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const stopping = useRef<AbortController>(null);
  const sending = useMutation({
    mutationFn: (file: File) => {
      setShare(0);
      stopping.current = new AbortController();
      return attach(id, file, setShare, stopping.current.signal);
    },
    onSuccess: async (file) => {
      done(t.conversations.attached(file.filename));
      await queries.invalidateQueries({ queryKey: attachmentsOf(tenant, id).queryKey });
    },
  });
  const stopped = sending.error instanceof DOMException;
  return (
    <Stack gap="xs">
      <FileButton
        accept="application/pdf,image/png,image/jpeg,image/webp"
        onChange={(file) => file && sending.mutate(file)}
      >
        {(props) => (
          <Button {...props} variant="light" disabled={sending.isPending}>
            {t.conversations.attach}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {t.conversations.attachHelp}
      </Text>
      {sending.isPending && (
        <Group gap="xs" wrap="nowrap">
          <Progress
            value={share * 100}
            flex={1}
            aria-label={t.conversations.sendingFile(sending.variables.name)}
          />
          <Button size="compact-xs" variant="subtle" onClick={() => stopping.current?.abort()}>
            {t.common.cancel}
          </Button>
        </Group>
      )}
      {sending.isError && !stopped && <FailureNotice error={sending.error} />}
    </Stack>
  );
}
