import { Box, Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { conversationChannelOf } from './channel';
import { attemptOf, keepDraft, useDraft } from './drafts';
import styles from './inbox.module.css';
import { useSending } from './sending';
import { useSilence } from './silence';
import { TemplateDialog } from './template';

/** Why nobody can write, by its id for whoever cannot see it beside the field. */
const CLOSED = 'closed-window';

/** Where a person answers the customer, or leaves a note that the customer never sees. */
export function MessageComposer({
  tenant,
  conversation,
  name,
}: {
  tenant: string;
  conversation: Schemas['Conversation'];
  /** What the customer is called. */
  name: string;
}) {
  const t = useTexts();
  const { id, handoff, status, channel } = conversation;
  const { role, text: typed } = useDraft(id);
  const via = useQuery(conversationChannelOf(tenant, id));
  // Where the conversation is held through no connection, only its messages tell.
  const silent = useSilence(tenant, conversation) && !via.isPending && !via.data;
  // A note reaches no customer.
  const closed = role === 'human' && via.data?.open === false ? via.data : undefined;
  const [choosing, { open: chooseTemplate, close: closeTemplates }] = useDisclosure();
  const { add, sending } = useSending(tenant, id);
  const send = () => {
    const text = typed.trim();
    if (!text || closed || sending.isPending) return;
    sending.mutate(attemptOf(id, { role, text }));
  };
  const hints = [
    role === 'human' && !closed && handoff.mode !== 'human' && t.conversations.takesOver,
    role === 'human' && !closed && status === 'closed' && t.conversations.reopens,
    role === 'note' && t.conversations.noteHelp,
  ].filter(Boolean);
  return (
    <Box p="xs" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      {sending.isError && (
        <Box mb="xs">
          <FailureNotice error={sending.error} again={send} />
        </Box>
      )}
      {role === 'human' && silent && (
        <Text size="xs" className={styles.attention} mb={4} role="status">
          {t.conversations.windowClosed(t.customers.channels[channel])}
        </Text>
      )}
      {closed && <ClosedWindow channel={channel} choose={chooseTemplate} />}
      {via.data && (
        <TemplateDialog
          opened={choosing}
          close={closeTemplates}
          tenant={tenant}
          conversation={id}
          connection={via.data.connection_id}
          name={name}
          sent={add}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Textarea
          aria-label={role === 'note' ? t.conversations.writeNote : t.conversations.write}
          placeholder={role === 'note' ? t.conversations.writeNote : t.conversations.write}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={20_000}
          disabled={closed !== undefined}
          aria-describedby={closed && CLOSED}
          value={typed}
          onChange={(event) => keepDraft(id, { role, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              send();
            }
          }}
          styles={{
            input: {
              fontSize: 16,
              ...(role === 'note' && {
                background: 'light-dark(var(--mantine-color-ochre-0), var(--mantine-color-ochre-9))',
              }),
            },
          }}
        />
        <Group justify="space-between" mt={6} gap="xs" wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label={t.conversations.kindOfMessage}
            value={role}
            onChange={(value) => keepDraft(id, { role: value === 'note' ? 'note' : 'human', text: typed })}
            data={[
              { value: 'human', label: t.conversations.reply },
              { value: 'note', label: t.conversations.note },
            ]}
          />
          <Text size="xs" c="dimmed" flex={1} visibleFrom="xs">
            {hints.join(' ')}
          </Text>
          <Button
            type="submit"
            size="xs"
            color={role === 'note' ? 'ochre.8' : undefined}
            loading={sending.isPending}
            disabled={!typed.trim() || closed !== undefined}
            title="Ctrl + Enter"
          >
            {role === 'note' ? t.conversations.saveNote : t.conversations.send}
          </Button>
        </Group>
        {hints.length > 0 && (
          <Text size="xs" c="dimmed" mt={4} hiddenFrom="xs">
            {hints.join(' ')}
          </Text>
        )}
      </form>
    </Box>
  );
}

/** Why words of one's own choice do not reach the customer, and what does. */
function ClosedWindow({ channel, choose }: { channel: Schemas['Channel']; choose: () => void }) {
  const t = useTexts();
  const words = t.channels.thread;
  // Only there are messages that were approved before.
  const hasTemplates = channel === 'whatsapp';
  return (
    <Group gap="xs" mb={6} justify="space-between">
      <Text id={CLOSED} size="xs" className={styles.attention} flex="1 1 220px" role="status">
        {words.closedFor(t.customers.channels[channel])}{' '}
        {hasTemplates ? words.closedTemplates : words.closedWait}
      </Text>
      {hasTemplates && (
        <Button size="xs" onClick={choose}>
          {t.channels.templates.send}
        </Button>
      )}
    </Group>
  );
}
