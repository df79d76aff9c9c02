import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n';
import { type Upload, type Uploads, useUploads } from './queue';
import { ReadingProgress } from './status';
import '@mantine/dropzone/styles.css';

/** Of hundreds, those that something can be done about come first. */
const SHOWN = 20;
const ORDER = { failed: 0, sending: 1, reading: 2, waiting: 3 } as const;

type Place = { pathname: string; search: object };

/** Where files go on leaving: other documents may be looked for meanwhile. */
const placeOf = ({ pathname, search }: Place) =>
  `${pathname} ${('tab' in search && search.tab) || 'documents'}`;

/** Files on their way, each with its progress, until they stand in the list of documents. */
export function FileUploads({ tenant, kb, then }: { tenant: string; kb: string; then?: ReactNode }) {
  const t = useTexts();
  const words = t.documents;
  const queue = useUploads(tenant, kb);
  const { uploads, finished } = queue;
  const leaving = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      leaving > 0 && placeOf(current) !== placeOf(next) && !window.confirm(words.leaveUploads),
    enableBeforeUnload: () => leaving > 0,
  });
  const all = uploads.length + finished;
  const failures = uploads.filter(({ state }) => state === 'failed');
  const shown = [...uploads].sort((a, b) => ORDER[a.state] - ORDER[b.state] || a.key - b.key).slice(0, SHOWN);
  return (
    <Stack gap="xs">
      <Dropzone onDrop={queue.add} inputProps={{ 'aria-label': t.knowledge.drop }}>
        <Stack align="center" gap={4} py="sm">
          <Text fw={600} ta="center">
            {t.knowledge.drop}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {t.knowledge.dropHint}
          </Text>
        </Stack>
      </Dropzone>
      {uploads.length === 0 && finished > 0 && (
        <Group gap="xs" role="status">
          <Text size="sm" fw={600} c="var(--mantine-color-teal-light-color)">
            {words.ready(finished)}
          </Text>
          {then}
        </Group>
      )}
      {uploads.length > 0 && (
        <Paper withBorder p="sm" component="section" aria-label={words.uploads}>
          <Stack gap="xs">
            {all > 1 && (
              <Group justify="space-between" gap="xs">
                <Text size="sm" fw={600} role="status">
                  {words.uploaded(finished, all, failures.length)}
                </Text>
                <Group gap={4}>
                  {failures.length > 1 && (
                    <Button size="compact-xs" variant="subtle" onClick={() => failures.forEach(queue.retry)}>
                      {words.retryAll}
                    </Button>
                  )}
                  {leaving > 1 && (
                    <Button size="compact-xs" variant="subtle" onClick={queue.stopAll}>
                      {words.stopAll}
                    </Button>
                  )}
                </Group>
              </Group>
            )}
            {shown.map((one) => (
              <UploadLine key={one.key} upload={one} queue={queue} />
            ))}
            {uploads.length > SHOWN && (
              <Text size="xs" c="dimmed">
                {words.moreUploads(uploads.length - SHOWN)}
              </Text>
            )}
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}

function UploadLine({ upload, queue }: { upload: Upload; queue: Uploads }) {
  const t = useTexts();
  const words = t.documents;
  const { file, state, share, failure, document } = upload;
  const status = document ? queue.statuses.get(document) : undefined;
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate>
          {file.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          {state === 'failed' && (
            <Button size="compact-xs" variant="subtle" onClick={() => queue.retry(upload)}>
              {t.common.retry}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            color={state === 'failed' ? 'gray' : undefined}
            aria-label={`${state === 'failed' ? t.common.close : t.knowledge.stop} ${file.name}`}
            onClick={() => (state === 'failed' ? queue.leave(upload) : queue.stop(upload))}
          >
            {state === 'failed' ? t.common.close : t.knowledge.stop}
          </Button>
        </Group>
      </Group>
      {state === 'failed' && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {failure}
        </Text>
      )}
      {(state === 'sending' || state === 'waiting') && (
        <Progress value={share * 100} size="sm" aria-label={`${t.knowledge.uploading} ${file.name}`} />
      )}
      {state === 'reading' && (
        <ReadingProgress document={status ?? { stage: null, progress_percent: 0 }} name={file.name} />
      )}
      {state === 'waiting' && (
        <Text size="xs" c="dimmed">
          {words.waitsToLeave}
        </Text>
      )}
    </Stack>
  );
}
