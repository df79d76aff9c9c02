import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { useNames } from '../../conversations/names';
import { useFormats } from '../../customers/formats';
import { ask, Dialog } from '../../settings/parts/dialog';
import { agentOf, type SavedAgent } from '../queries';
import { withoutDraft } from './editing';
import { DraftDifference, PublishDialog } from './publish';

/** That something waits to be published, wherever one looks at the agent. */
export function DraftBanner({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  return agent.draft ? <WaitingDraft tenant={tenant} agent={agent} mark={agent.draft} /> : null;
}

type Props = { tenant: string; agent: SavedAgent; mark: Schemas['DraftMark'] };

function WaitingDraft({ tenant, agent, mark }: Props) {
  const t = useTexts();
  const nameOf = useNames(tenant);
  const formats = useFormats(tenant);
  const queries = useQueryClient();
  const [seeing, see] = useDisclosure();
  const [publishing, publish] = useDisclosure();
  const discarding = useMutation({
    mutationFn: () =>
      told(
        api.DELETE('/api/v1/agents/{agent}/draft', {
          params: { path: { agent: agent.id }, query: { revision: mark.revision } },
        }),
      ),
    onSuccess: () => {
      done(t.versions.discarded);
      queries.setQueryData(agentOf(tenant, agent.slug).queryKey, { ...agent, draft: null });
      void withoutDraft(queries, tenant, agent.id);
    },
    onError: (error) => {
      failed(error);
      void queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
    },
  });
  const discard = () =>
    ask({
      title: t.versions.discardTitle,
      text: t.versions.discardText,
      confirm: t.versions.discard,
      danger: true,
      act: () => discarding.mutate(),
    });
  return (
    <Alert color={mark.outdated ? 'ochre' : 'teal'} title={t.versions.waiting} role="status">
      <Stack gap="xs">
        <Text size="sm">
          {t.versions.waitingText(nameOf(mark.changed_by), formats.full(mark.changed_at))}
        </Text>
        {mark.outdated && <Text size="sm">{t.versions.outdated}</Text>}
        <Group gap="xs">
          <Button size="xs" onClick={publish.open}>
            {t.versions.publish}
          </Button>
          <Button size="xs" variant="default" onClick={see.open}>
            {t.versions.see}
          </Button>
          <Button size="xs" variant="default" loading={discarding.isPending} onClick={discard}>
            {t.versions.discard}
          </Button>
        </Group>
      </Stack>
      <Dialog opened={seeing} onClose={see.close} title={t.versions.differences} size="xl">
        <DraftDifference tenant={tenant} agent={agent} />
      </Dialog>
      <PublishDialog tenant={tenant} agent={agent} mark={mark} opened={publishing} close={publish.close} />
    </Alert>
  );
}
