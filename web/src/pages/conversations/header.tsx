import { Alert, Box, Button, Group, Menu, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { ButtonLink, TextLink } from '../../parts/links';
import { done, failed } from '../../parts/notify';
import { agentsOf } from '../agents/queries';
import { useScriptFromConversation } from '../agents/rehearsals/queries';
import { useFormats } from '../customers/formats';
import { TemperatureMenu } from '../customers/temperature';
import { useRights } from '../settings/rights';
import { useThreadAction } from './actions';
import { AttachmentDrawer } from './attachments';
import { LearnedDrawer } from './learned';
import { useNames } from './names';
import { PersonRequest } from './request';
import { ModeBadge } from './row';

/** Who is spoken with, who answers, and what can be done about it. */
export function ThreadHeader({
  tenant,
  conversation,
  lead,
  name,
}: {
  tenant: string;
  conversation: Schemas['Conversation'];
  lead: Schemas['Lead'] | undefined;
  name: string;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = useNames(tenant, name);
  const agents = useQuery(agentsOf(tenant)).data?.data;
  const agent = agents?.find((one) => one.id === conversation.agent_id);
  const [files, showFiles] = useDisclosure();
  const [lessons, showLessons] = useDisclosure();
  const [asking, askPerson] = useDisclosure();
  const { may } = useRights(tenant);
  const acting = useThreadAction(
    tenant,
    conversation.id,
    may('business:write') ? showLessons.open : undefined,
  );
  const scripting = useScriptFromConversation(tenant, agent?.id ?? '');
  const { handoff, status } = conversation;
  const { mode } = handoff;
  const closed = status === 'closed';
  return (
    <Box p="xs" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Group gap="xs" wrap="nowrap" miw={0} align="flex-start">
          <ButtonLink
            to="/t/$tenant/conversations"
            params={{ tenant }}
            search
            variant="subtle"
            size="compact-md"
            px={6}
            hiddenFrom="md"
            aria-label={t.conversations.back}
          >
            ←
          </ButtonLink>
          <Box miw={0}>
            <Group gap="xs">
              <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
                <TextLink
                  to="/t/$tenant/customers/$lead"
                  params={{ tenant, lead: conversation.lead_id }}
                  inherit
                >
                  {name}
                </TextLink>
              </Title>
              {lead && (
                <TemperatureMenu tenant={tenant} lead={lead.id} name={name} temperature={lead.temperature} />
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {[t.customers.channels[conversation.channel], agent?.name, closed && t.conversations.isClosed]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Box>
        </Group>
        <Group gap={6} wrap="nowrap">
          {mode !== 'pending_human' && (
            <Box visibleFrom="xs">
              <ModeBadge mode={mode} />
            </Box>
          )}
          {mode === 'human' ? (
            <Button
              size="xs"
              variant="default"
              loading={acting.isPending}
              onClick={() => acting.mutate({ kind: 'release' })}
            >
              {t.conversations.release}
            </Button>
          ) : (
            <Button
              size="xs"
              color={mode === 'pending_human' ? 'ochre.8' : undefined}
              loading={acting.isPending}
              onClick={() => acting.mutate({ kind: 'take' })}
            >
              {t.conversations.take}
            </Button>
          )}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button size="xs" variant="default" px={10} aria-label={t.conversations.moreActions}>
                ⋯
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {mode === 'human' && handoff.by && (
                <Menu.Item onClick={() => acting.mutate({ kind: 'take' })}>
                  {t.conversations.takeMine}
                </Menu.Item>
              )}
              {mode === 'ai' && (
                <Menu.Item onClick={askPerson.open}>{t.conversations.requestPerson}</Menu.Item>
              )}
              {mode === 'pending_human' && (
                <Menu.Item onClick={() => acting.mutate({ kind: 'release' })}>
                  {t.conversations.release}
                </Menu.Item>
              )}
              <Menu.Item onClick={showFiles.open}>{t.conversations.files}</Menu.Item>
              {may('business:write') && (
                <Menu.Item onClick={showLessons.open}>{t.conversations.lessonsOfThis}</Menu.Item>
              )}
              {agent && may('agents:write') && (
                <Menu.Item
                  title={t.rehearsals.fromConversationHelp}
                  onClick={() =>
                    scripting.mutate(conversation.id, {
                      onSuccess: () => done(t.rehearsals.fromConversationDone),
                      onError: failed,
                    })
                  }
                >
                  {t.rehearsals.fromConversation}
                </Menu.Item>
              )}
              <Menu.Item
                renderRoot={(props) => (
                  <Link
                    to="/t/$tenant/customers/$lead"
                    params={{ tenant, lead: conversation.lead_id }}
                    {...props}
                  />
                )}
              >
                {t.conversations.seeCustomer}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                onClick={() => acting.mutate({ kind: 'status', status: closed ? 'open' : 'closed' })}
              >
                {closed ? t.conversations.reopen : t.conversations.close}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <Box aria-live="polite">
        {mode === 'pending_human' && (
          <Alert color="ochre" mt="xs" p="xs" role="note">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t.conversations.waits}
              {handoff.at && ` · ${formats.brief(handoff.at)}`}
              {handoff.reason && ` · ${handoff.reason}`}
            </Text>
          </Alert>
        )}
        {mode === 'human' && handoff.by && (
          <Text size="xs" c="dimmed" mt={4}>
            {t.conversations.answeredBy(names(handoff.by))}
            {handoff.reason && ` · ${handoff.reason}`}
          </Text>
        )}
      </Box>
      <AttachmentDrawer tenant={tenant} id={conversation.id} opened={files} close={showFiles.close} />
      <LearnedDrawer tenant={tenant} of={conversation.id} opened={lessons} close={showLessons.close} />
      <PersonRequest
        opened={asking}
        close={askPerson.close}
        send={(reason) => acting.mutateAsync({ kind: 'request', reason })}
      />
    </Box>
  );
}
