import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { memo } from 'react';
import { useTexts } from '../../i18n';
import type { Formats } from '../customers/formats';
import type { Delivery } from './deliveries';
import { DeliveryMark, DeliveryReason } from './delivery';
import { extrasOf } from './extras';
import styles from './inbox.module.css';
import type { Message } from './queries';
import type { ThreadRow } from './timeline';

type Shown = {
  formats: Formats;
  names: (author: string) => string;
  ask: (asked: { turn: string; message: string }) => void;
};

/** One line of a thread: something said, something that happened, or where a day begins. */
export const ThreadLine = memo(function ThreadLine({
  row,
  delivery,
  ...shown
}: { row: ThreadRow; delivery: Delivery | undefined } & Shown) {
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
  return <MessageBubble message={row.message} named={row.named} delivery={delivery} {...shown} />;
});

function MessageBubble({
  message,
  named,
  delivery,
  formats,
  names,
  ask,
}: { message: Message; named: boolean; delivery: Delivery | undefined } & Shown) {
  const t = useTexts();
  const { role } = message;
  const turn = typeof message.metadata.turn_id === 'string' ? message.metadata.turn_id : undefined;
  const { choices, isEcho, template } = extrasOf(message);
  const label = template ? t.channels.sentLog.template(template.name) : isEcho && t.channels.thread.fromPhone;
  return (
    <Box className={styles.bubble} data-role={role}>
      {(named || role === 'note') && (
        <Text size="xs" fw={600} c="dimmed">
          {t.conversations.roles[role]}
          {role !== 'user' && role !== 'system' && ` · ${names(message.author)}`}
        </Text>
      )}
      {label && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
      )}
      <Text className="thread">{template?.values.length ? template.values.join(' · ') : message.text}</Text>
      {choices.length > 0 && (
        <Stack
          component="ul"
          aria-label={t.channels.thread.options}
          gap={4}
          m={0}
          mt={4}
          p={0}
          style={{ listStyle: 'none' }}
        >
          {choices.map((choice, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes
            <Text component="li" key={at} size="sm" className={styles.choice}>
              {choice}
            </Text>
          ))}
        </Stack>
      )}
      <Group gap="xs" justify="flex-end" wrap="nowrap" mt={2}>
        {role === 'assistant' && turn && (
          <Button
            size="compact-xs"
            variant="subtle"
            mr="auto"
            onClick={() => ask({ turn, message: message.id })}
          >
            {t.conversations.why}
          </Button>
        )}
        <Text size="xs" c="dimmed" component="time" dateTime={message.created_at}>
          {formats.clock(message.created_at)}
        </Text>
        {delivery && <DeliveryMark state={delivery.state} />}
      </Group>
      {delivery && <DeliveryReason {...delivery} />}
    </Box>
  );
}
