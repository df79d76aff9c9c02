import { Box, Button, Group, Text } from '@mantine/core';
import { memo } from 'react';
import { useTexts } from '../../i18n';
import type { Formats } from '../customers/formats';
import styles from './inbox.module.css';
import type { Message } from './queries';
import type { ThreadRow } from './timeline';

type Shown = {
  formats: Formats;
  names: (author: string) => string;
  ask: (asked: { turn: string; message: string }) => void;
};

/** One line of a thread: something said, something that happened, or where a day begins. */
export const ThreadLine = memo(function ThreadLine({ row, ...shown }: { row: ThreadRow } & Shown) {
  const t = useTexts();
  if (row.kind === 'start')
    return (
      <Text size="xs" c="dimmed" ta="center">
        {t.conversations.beginning}
      </Text>
    );
  if (row.kind === 'day')
    return (
      <Text size="xs" c="dimmed" className={styles.day}>
        {shown.formats.dayName(row.at)}
      </Text>
    );
  if (row.kind === 'event') {
    const { action, actor, at, details } = row.entry;
    const reason = typeof details.reason === 'string' ? details.reason : undefined;
    return (
      <Text size="xs" c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
        {t.conversations.happened(action, shown.names(actor))}
        {reason && `: ${reason}`} · {shown.formats.clock(at)}
      </Text>
    );
  }
  return <MessageBubble message={row.message} named={row.named} {...shown} />;
});

function MessageBubble({
  message,
  named,
  formats,
  names,
  ask,
}: { message: Message; named: boolean } & Shown) {
  const t = useTexts();
  const { role } = message;
  const turn = typeof message.metadata.turn_id === 'string' ? message.metadata.turn_id : undefined;
  return (
    <Box className={styles.bubble} data-role={role}>
      {(named || role === 'note') && (
        <Text size="xs" fw={600} c="dimmed">
          {t.conversations.roles[role]}
          {role !== 'user' && role !== 'system' && ` · ${names(message.author)}`}
        </Text>
      )}
      <Text className="thread">{message.text}</Text>
      <Group gap="xs" justify="space-between" wrap="nowrap" mt={2}>
        <Text size="xs" c="dimmed" component="time" dateTime={message.created_at}>
          {formats.clock(message.created_at)}
        </Text>
        {role === 'assistant' && turn && (
          <Button size="compact-xs" variant="subtle" onClick={() => ask({ turn, message: message.id })}>
            {t.conversations.why}
          </Button>
        )}
      </Group>
    </Box>
  );
}
