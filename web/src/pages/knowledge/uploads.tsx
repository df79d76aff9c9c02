import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { upload } from '../../api/upload';
import { useTexts } from '../../i18n';
import { documentsKey } from './queries';
import '@mantine/dropzone/styles.css';

type Sending = { key: number; name: string; share: number; failure?: string; stop: () => void };

/** How many files leave at the same time. */
const AT_ONCE = 3;

/** Files on their way, each with its progress; what the server has is in the list of documents. */
export function FileUploads({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [sending, setSending] = useState<Sending[]>([]);
  const next = useRef(0);
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const change = (key: number, changed: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const leave = (key: number) => setSending((all) => all.filter((one) => one.key !== key));

  const pump = () => {
    while (running.current < AT_ONCE) {
      const send = waiting.current.shift();
      if (!send) return;
      running.current += 1;
      void send().finally(() => {
        running.current -= 1;
        pump();
      });
    }
  };

  const add = (files: File[]) => {
    for (const file of files) {
      const key = next.current;
      next.current += 1;
      const stopping = new AbortController();
      setSending((all) => [...all, { key, name: file.name, share: 0, stop: () => stopping.abort() }]);
      stopping.signal.addEventListener('abort', () => leave(key));
      waiting.current.push(async () => {
        if (stopping.signal.aborted) return;
        try {
          const answer = await upload(kb, file, (share) => change(key, { share }), stopping.signal);
          const refused = answer.refused[0];
          if (refused) change(key, { failure: refused.error.message });
          else leave(key);
          await queries.invalidateQueries({ queryKey: documentsKey(tenant, kb) });
        } catch (error) {
          if (!stopping.signal.aborted)
            change(key, { failure: error instanceof Error ? error.message : String(error) });
        }
      });
    }
    pump();
  };

  return (
    <Stack gap="xs">
      <Dropzone onDrop={add} inputProps={{ 'aria-label': t.knowledge.drop }}>
        <Stack align="center" gap={4} py="md">
          <Text fw={600}>{t.knowledge.drop}</Text>
          <Text size="sm" c="dimmed">
            {t.knowledge.dropHint}
          </Text>
        </Stack>
      </Dropzone>
      {sending.map((one) => (
        <Paper key={one.key} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {one.name}
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => (one.failure ? leave(one.key) : one.stop())}
            >
              {one.failure ? t.common.close : t.knowledge.stop}
            </Button>
          </Group>
          {one.failure ? (
            <Text size="sm" c="red" role="alert">
              {one.failure}
            </Text>
          ) : (
            <Progress value={one.share * 100} aria-label={`${t.knowledge.uploading} ${one.name}`} />
          )}
        </Paper>
      ))}
    </Stack>
  );
}
