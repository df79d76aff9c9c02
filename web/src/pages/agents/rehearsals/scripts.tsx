import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { GuardedDrawer } from '../../../parts/guarded-dialog';
import { done, failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import type { Agent } from '../queries';
import { ScriptForm } from './form';
import { type Script, scriptsOf, useScriptDeletion } from './queries';

type Props = { tenant: string; agent: Agent; changes: boolean };
type Edited = Script | 'new' | undefined;

/** How many things a script expects. */
function expected(script: Script): number {
  return script.steps.reduce((sum, { expect }) => {
    const texts = [expect?.must_contain, expect?.must_not_contain, expect?.must_call];
    const flags = [expect?.must_not_write, expect?.must_cite, expect?.must_hand_over, expect?.must_not_know];
    const count = texts.reduce((all, some) => all + (some?.length ?? 0), 0);
    return sum + count + flags.filter(Boolean).length;
  }, 0);
}

export function ScriptList({ tenant, agent, changes }: Props) {
  const t = useTexts();
  const words = t.rehearsals;
  const found = useQuery(scriptsOf(tenant, agent.id));
  const [edited, setEdited] = useState<Edited>();
  const close = () => setEdited(undefined);
  const create = changes && (
    <Button variant="default" onClick={() => setEdited('new')}>
      {words.createScript}
    </Button>
  );
  const old = edited === 'new' ? undefined : edited;
  const scripts = found.data?.data ?? [];
  return (
    <Stack gap="sm" component="section" aria-label={words.scripts}>
      <Group justify="space-between" gap="sm">
        <Box>
          <Title order={2} size="h4">
            {words.scripts}
          </Title>
          <Text size="sm" c="dimmed">
            {words.scriptsIntro}
          </Text>
        </Box>
        {scripts.length > 0 && create}
      </Group>
      {found.isPending && <ListSkeleton rows={3} />}
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {found.isSuccess && scripts.length === 0 && (
        <EmptyState title={words.noScriptsTitle} text={words.noScriptsText} action={create} />
      )}
      {scripts.map((script) => (
        <ScriptRow
          key={script.id}
          tenant={tenant}
          agent={agent}
          changes={changes}
          script={script}
          edit={() => setEdited(script)}
        />
      ))}
      <GuardedDrawer
        opened={edited !== undefined}
        onClose={close}
        size={640}
        title={
          <Text span fw={650} size="lg">
            {old ? words.editOf(old.name) : words.createScript}
          </Text>
        }
        transitionProps={{ duration: 120 }}
      >
        {edited && (
          <ScriptForm key={old?.id ?? 'new'} tenant={tenant} agent={agent} old={old} close={close} />
        )}
      </GuardedDrawer>
    </Stack>
  );
}

function ScriptRow({ tenant, agent, changes, script, edit }: Props & { script: Script; edit: () => void }) {
  const t = useTexts();
  const words = t.rehearsals;
  const deleting = useScriptDeletion(tenant, agent.id, script.id);
  const ask = () =>
    modals.openConfirmModal({
      title: words.deleteScriptTitle(script.name),
      children: <Text size="sm">{words.deleteScriptText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () =>
        deleting.mutate(undefined, { onSuccess: () => done(words.scriptDeleted), onError: failed }),
    });
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" gap="sm">
        <Box flex="1 1 220px" miw={0}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {script.name}
          </Text>
          <Text size="xs" c="dimmed">
            {words.stepsOf(script.steps.length)} · {words.expectationsOf(expected(script))}
          </Text>
        </Box>
        {changes && (
          <Group gap={4}>
            <Button
              size="compact-sm"
              px={6}
              variant="subtle"
              onClick={edit}
              aria-label={words.editOf(script.name)}
            >
              {words.edit}
            </Button>
            <Button
              size="compact-sm"
              px={6}
              variant="subtle"
              color="red"
              onClick={ask}
              loading={deleting.isPending}
              aria-label={words.deleteOf(script.name)}
            >
              {t.common.delete}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}
