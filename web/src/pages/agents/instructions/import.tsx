import { Anchor, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { importTable } from '../../business/tables/calls';
import { useRefresh } from './changes';
import { ProposedList } from './proposed';
import { ReportView } from './report';

/** The server takes no more. */
const MOST_BYTES = 10 * 1024 * 1024;

type Props = { tenant: string; opened: boolean; close: () => void; exported: () => void };

export function ImportDialog({ opened, close, ...rest }: Props) {
  const t = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={t.business.tables.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <ImportSteps close={close} {...rest} />
    </Modal>
  );
}

/** A file is tried first, and read for good when somebody has seen what would come of it. */
function ImportSteps({ tenant, close, exported }: Omit<Props, 'opened'>) {
  const t = useTexts();
  const words = t.business.tables;
  const refresh = useRefresh(tenant);
  const [file, setFile] = useState<File | null>(null);
  const trying = useMutation({ mutationFn: (chosen: File) => importTable('instructions', chosen, true) });
  const reading = useMutation({
    mutationFn: (chosen: File) => importTable('instructions', chosen, false),
    onSuccess: (report) => done(words.receipt(report.created, report.updated)),
    // Some rows may have been saved before it stopped.
    onSettled: refresh,
  });
  const isTooLarge = file !== null && file.size > MOST_BYTES;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    trying.reset();
    reading.reset();
    if (chosen && chosen.size <= MOST_BYTES) trying.mutate(chosen);
  };
  const report = reading.data ?? trying.data;
  const worth = trying.data ? trying.data.created + trying.data.updated : 0;
  const busy = trying.isPending || reading.isPending;
  return (
    <Stack>
      <Text size="sm">
        {words.help}{' '}
        <Anchor component="button" type="button" size="sm" onClick={exported}>
          {words.template}
        </Anchor>
      </Text>
      <FileInput
        label={words.file}
        placeholder={words.choose}
        accept=".csv,text/csv,text/plain"
        disabled={busy}
        error={isTooLarge ? words.tooLarge : undefined}
        value={file}
        onChange={choose}
      />
      {busy && (
        <Stack gap={4} aria-live="polite">
          <Text size="sm">{trying.isPending ? words.trying : words.reading}</Text>
          <Progress value={100} animated aria-label={t.common.loading} />
        </Stack>
      )}
      {trying.isError && <FailureNotice error={trying.error} />}
      {reading.isError && <FailureNotice error={reading.error} />}
      {report && !busy && <ReportView report={report} />}
      {reading.data && <ProposedList tenant={tenant} proposed={reading.data.proposed_for_prompt ?? []} />}
      <Group gap="xs">
        {file && trying.data && !reading.data && (
          <Button onClick={() => reading.mutate(file)} loading={reading.isPending} disabled={worth === 0}>
            {words.go(worth)}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          {reading.data ? t.common.close : t.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
