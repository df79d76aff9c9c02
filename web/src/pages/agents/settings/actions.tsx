import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { agentOf, type SavedAgent } from '../queries';
import { FormSection } from '../section';
import { AgentReceipt } from './receipt';

/** What is done with an agent as a whole. */
export function AgentActions({
  tenant,
  agent,
  letGo,
}: {
  tenant: string;
  agent: SavedAgent;
  letGo: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = { agent: agent.id };
  const activating = useMutation({
    mutationFn: () => told(api.POST('/api/v1/agents/{agent}/activate', { params: { path } })),
    onSuccess: async () => {
      done(t.agents.madeActive(agent.name));
      await queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
    },
    onError: failed,
  });
  const deleting = useMutation({
    mutationFn: () => told(api.DELETE('/api/v1/agents/{agent}', { params: { path } })),
    onSuccess: async (receipt) => {
      letGo();
      modals.open({
        title: t.agents.deleted(agent.name),
        children: <AgentReceipt tenant={tenant} receipt={receipt} />,
        closeButtonProps: { 'aria-label': t.common.close },
      });
      await navigate({ to: '/t/$tenant/agents', params: { tenant }, ignoreBlocker: true });
      queries.removeQueries({ queryKey: agentOf(tenant, agent.slug).queryKey });
      // Knowledge, conversations and figures lost it as well.
      await queries.invalidateQueries({ queryKey: [tenant] });
    },
    onError: failed,
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t.agents.deleteTitle(agent.name),
      children: <Text size="sm">{t.agents.deleteText(agent.name)}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => deleting.mutate(),
    });
  return (
    <FormSection title={t.agents.sections.more}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          {agent.active ? t.agents.activeText : t.agents.notActiveText}
        </Text>
        {!agent.active && (
          <Button variant="default" loading={activating.isPending} onClick={() => activating.mutate()}>
            {t.agents.makeActive}
          </Button>
        )}
      </Group>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          {t.agents.deleteHelp}
        </Text>
        <Button variant="light" color="red" loading={deleting.isPending} onClick={ask}>
          {t.agents.deleteAgent}
        </Button>
      </Group>
    </FormSection>
  );
}
