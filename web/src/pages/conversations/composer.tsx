import { Box, Button, Group, SegmentedControl, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { attemptOf, forgetSent, keepDraft, useDraft } from './drafts';
import styles from './inbox.module.css';
import { withNewest } from './newest';
import { conversationsKey, messagesOf, newestFirst, sendMessage, type Written } from './queries';
import { useSilence } from './silence';

/** Where a person answers the customer, or leaves a note that the customer never sees. */
export function MessageComposer({
  tenant,
  conversation,
}: {
  tenant: string;
  conversation: Schemas['Conversation'];
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const { id, handoff, status, channel } = conversation;
  const { role, text: typed } = useDraft(id);
  const silent = useSilence(tenant, conversation);
  const sending = useMutation({
    mutationFn: (written: Written) => sendMessage(id, written),
    onSuccess: (message, written) => {
      forgetSent(id, written);
      queries.setQueryData(messagesOf(tenant, id).queryKey, (known) => {
        const first = known?.pages[0];
        if (!known || !first) return known;
        const newest = { data: [message, ...first.data], next_cursor: first.next_cursor };
        return withNewest(known, newest, newestFirst);
      });
      void queries.invalidateQueries({ queryKey: conversationsKey(tenant) });
    },
  });
  const send = () => {
    const text = typed.trim();
    if (!text || sending.isPending) return;
    sending.mutate(attemptOf(id, { role, text }));
  };
  const hints = [
    role === 'human' && handoff.mode !== 'human' && t.conversations.takesOver,
    role === 'human' && status === 'closed' && t.conversations.reopens,
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
            disabled={!typed.trim()}
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
