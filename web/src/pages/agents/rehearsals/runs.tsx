import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import { done, failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { useFormats } from '../../customers/formats';
import { PagedList } from '../../settings/parts/paged-list';
import type { Agent } from '../queries';
import { type Run, runPages, useRehearsalDeletion, useRehearsalStop } from './queries';
import { isUnderWay, RunSummary } from './summary';

type Props = { tenant: string; agent: Agent; changes: boolean };

export function RunList({ tenant, agent, changes }: Props) {
  const t = useTexts();
  const words = t.rehearsals;
  const list = useInfiniteQuery(runPages(tenant, agent.id));
  return (
    <PagedList
      label={words.list}
      list={list}
      keyOf={(run) => run.id}
      empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
      render={(run) => <RunRow tenant={tenant} agent={agent} changes={changes} run={run} />}
    />
  );
}

function RunRow({ tenant, agent, changes, run }: Props & { run: Run }) {
  const t = useTexts();
  const words = t.rehearsals;
  const formats = useFormats(tenant);
  const stopping = useRehearsalStop(tenant, agent.id, run.id);
  const deleting = useRehearsalDeletion(tenant, agent.id, run.id);
  const when = formats.full(run.created_at);
  const ask = () =>
    modals.openConfirmModal({
      title: words.deleteTitle,
      children: <Text size="sm">{words.deleteText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => deleting.mutate(undefined, { onSuccess: () => done(words.deleted), onError: failed }),
    });
  const stop = () => stopping.mutate(undefined, { onSuccess: () => done(words.stopped), onError: failed });
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 260px" miw={0}>
          <Text fw={600} size="sm" mb={4}>
            {when}
          </Text>
          <RunSummary tenant={tenant} run={run} />
        </Box>
        <Group gap={4}>
          <ButtonLink
            from="/t/$tenant/agents/$agent"
            to="."
            search={{ tab: 'rehearsals', run: run.id }}
            size="compact-sm"
            variant="light"
            aria-label={words.openOf(when)}
          >
            {words.open}
          </ButtonLink>
          {changes && isUnderWay(run) && (
            <Button size="compact-sm" variant="default" onClick={stop} loading={stopping.isPending}>
              {words.stop}
            </Button>
          )}
          {changes && !isUnderWay(run) && (
            <Button
              size="compact-sm"
              px={6}
              variant="subtle"
              color="red"
              onClick={ask}
              loading={deleting.isPending}
            >
              {t.common.delete}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
