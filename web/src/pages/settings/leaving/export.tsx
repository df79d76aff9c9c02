import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorOf, headers } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { saveFile } from '../../../parts/save';
import { useFormats } from '../formats';
import { Trouble } from '../parts/refusal';

/** Everything of the business in one file. */
export function ExportCard({ tenant }: { tenant: string }) {
  const t = useTexts();
  const { bytes } = useFormats(tenant);
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(null);
  const words = t.settings.leaving;
  const taking = useMutation({
    mutationFn: async () => {
      const abort = new AbortController();
      stop.current = abort;
      setRead(0);
      const answer = await fetch('/api/v1/tenant/export', {
        credentials: 'same-origin',
        headers: headers(),
        signal: abort.signal,
      });
      if (!answer.ok || !answer.body)
        throw errorOf(answer.status, await answer.json().catch(() => undefined));
      let size = 0;
      const counted = answer.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            size += piece.length;
            setRead(size);
            controller.enqueue(piece);
          },
        }),
      );
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`${tenant}-${day}.tar.gz`, await new Response(counted).blob());
    },
    onSuccess: () => done(words.exported),
  });
  const isStopped = taking.error instanceof DOMException && taking.error.name === 'AbortError';
  return (
    <Paper withBorder p="md" component="section" aria-label={words.export}>
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {words.export}
        </Title>
        <Text size="sm">{words.exportText}</Text>
        <Text size="sm" c="dimmed">
          {words.exportLeavesOut}
        </Text>
        {taking.isError && !isStopped && <Trouble error={taking.error} again={() => taking.mutate()} />}
        <Group gap="sm">
          <Button variant="default" onClick={() => taking.mutate()} loading={taking.isPending}>
            {words.exportNow}
          </Button>
          {taking.isPending && (
            <>
              <Text size="sm" role="status">
                {words.exporting(bytes(read))}
              </Text>
              <Button variant="subtle" onClick={() => stop.current?.abort()}>
                {t.common.cancel}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
