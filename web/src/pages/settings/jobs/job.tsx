import { Alert, Badge, Box, Button, Collapse, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { KeyValues } from '../parts/key-values';
import { useRights } from '../rights';

type Job = Schemas['Job'];

const COLOURS = {
  queued: 'gray',
  running: 'ochre',
  succeeded: 'teal',
  dead: 'red',
  cancelled: 'gray',
} as const;
/** What removes what was deleted goes on until nothing is left. */
const LASTING = ['remove_files', 'sweep_upload', 'sweep_attachment'];

/** One piece of work in the background: how far it is, and why it failed. */
export function JobRow({ tenant, job }: { tenant: string; job: Job }) {
  const t = useTexts();
  const { date } = useFormats(tenant);
  const [open, { toggle }] = useDisclosure();
  const kinds: Record<string, string> = t.settings.jobs.kinds;
  const failures: Record<string, string> = t.settings.jobs.failures;
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Box flex="1 1 220px" miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {kinds[job.kind] ?? job.kind}
            </Text>
            <Badge size="sm" variant="light" color={COLOURS[job.status]}>
              {t.settings.jobs.statuses[job.status]}
            </Badge>
          </Group>
          <Text size="xs" c="dimmed">
            {date(job.created_at)} · {t.settings.jobs.attempts(job.attempts, job.max_attempts)}
            {job.status === 'queued' && ` · ${t.settings.jobs.from(date(job.run_at))}`}
            {job.finished_at && ` · ${t.settings.jobs.finished(date(job.finished_at))}`}
          </Text>
        </Box>
        <Group gap={4}>
          <JobActions tenant={tenant} job={job} />
          <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={open}>
            {t.settings.details}
          </Button>
        </Group>
      </Group>
      {job.last_error && job.status !== 'succeeded' && (
        <Alert color={job.status === 'dead' ? 'red' : 'ochre'} mt="xs" p="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {failures[job.last_error] ?? job.last_error}
          </Text>
        </Alert>
      )}
      <Collapse expanded={open}>
        {open && (
          <KeyValues values={{ id: job.id, kind: job.kind, ...job.payload, last_error: job.last_error }} />
        )}
      </Collapse>
    </Paper>
  );
}

function JobActions({ tenant, job }: { tenant: string; job: Job }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { may } = useRights(tenant);
  const params = { path: { job_id: job.id } };
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'jobs'] });
  const retrying = useMutation({
    mutationFn: () => told(api.POST('/api/v1/jobs/{job_id}/retry', { params })),
    onSuccess: () => done(t.settings.jobs.retried),
    onSettled: again,
    onError: failed,
  });
  const cancelling = useMutation({
    mutationFn: () => told(api.POST('/api/v1/jobs/{job_id}/cancel', { params })),
    onSuccess: () => done(t.settings.jobs.cancelled),
    onSettled: again,
    onError: failed,
  });
  if (!may('jobs:write')) return null;
  const isOver = job.status === 'dead' || job.status === 'cancelled';
  const isMoving = job.status === 'queued' || job.status === 'running';
  const askCancel = () =>
    ask({
      title: t.settings.jobs.cancelTitle,
      text: t.settings.jobs.cancelText,
      confirm: t.settings.jobs.cancel,
      cancel: t.settings.jobs.keep,
      danger: true,
      act: () => cancelling.mutate(),
    });
  return (
    <>
      {isOver && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => retrying.mutate()}
          loading={retrying.isPending}
        >
          {t.common.retry}
        </Button>
      )}
      {isMoving && !LASTING.includes(job.kind) && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={askCancel}
          loading={cancelling.isPending}
        >
          {t.settings.jobs.cancel}
        </Button>
      )}
    </>
  );
}
