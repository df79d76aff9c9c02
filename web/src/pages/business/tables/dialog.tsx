import { Anchor, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import type { KindName } from '../catalogue';
import { useSetting } from '../setting';
import { importTable } from './calls';
import { ReportView } from './report';

/** The server takes no more. */
const MOST_BYTES = 10 * 1024 * 1024;

type Props = { kind: KindName; opened: boolean; close: () => void; exported: () => void };

export function ImportDialog({ kind, opened, close, exported }: Props) {
  const t = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={t.business.tables.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <ImportSteps kind={kind} close={close} exported={exported} />
    </Modal>
  );
}

/** A file is tried first, and read for good when somebody has seen what would come of it. */
function ImportSteps({ kind, close, exported }: Omit<Props, 'opened'>) {
  const t = useTexts();
  const { tenant } = useSetting();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const trying = useMutation({ mutationFn: (chosen: File) => importTable(kind, chosen, true) });
  const reading = useMutation({
    mutationFn: (chosen: File) => importTable(kind, chosen, false),
    onSuccess: (report) => done(t.business.tables.receipt(report.created, report.updated)),
    // Some rows may have been saved before it stopped.
    onSettled: () => queries.invalidateQueries({ queryKey: [tenant, 'business', kind] }),
  });
  const tooLarge = file !== null && file.size > MOST_BYTES;
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
        {t.business.tables.help}{' '}
        <Anchor component="button" type="button" size="sm" onClick={exported}>
          {t.business.tables.template}
        </Anchor>
      </Text>
      <FileInput
        label={t.business.tables.file}
        placeholder={t.business.tables.choose}
        accept=".csv,text/csv,text/plain"
        clearable
        clearButtonProps={{ 'aria-label': t.business.clear }}
        disabled={busy}
        error={tooLarge ? t.business.tables.tooLarge : undefined}
        value={file}
        onChange={choose}
      />
      {busy && (
        <Stack gap={4} aria-live="polite">
          <Text size="sm">{trying.isPending ? t.business.tables.trying : t.business.tables.reading}</Text>
          <Progress value={100} animated aria-label={t.common.loading} />
        </Stack>
      )}
      {trying.isError && <FailureNotice error={trying.error} />}
      {reading.isError && <FailureNotice error={reading.error} />}
      {report && !busy && <ReportView kind={kind} report={report} />}
      <Group gap="xs">
        {file && trying.data && !reading.data && (
          <Button onClick={() => reading.mutate(file)} loading={reading.isPending} disabled={worth === 0}>
            {t.business.tables.go(worth)}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          {reading.data ? t.common.close : t.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
