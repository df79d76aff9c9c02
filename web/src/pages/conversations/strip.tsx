import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useFormats } from '../customers/formats';
import { useMoney } from '../metrics/money';
import { type ConversationChannel, conversationChannelOf, returnText, useNow, windowText } from './channel';
import styles from './inbox.module.css';
import { POLL_MS } from './newest';

type Props = { tenant: string; conversation: Schemas['Conversation'] };

/** How often it is looked what time is left. */
const TICK_MS = 5_000;

/** How a conversation reaches its customer; nothing where it is held through no connection. */
export function ChannelStrip({ tenant, conversation }: Props) {
  const options = conversationChannelOf(tenant, conversation.id);
  const channel = useQuery({
    ...options,
    refetchInterval: (query) => (query.state.data === null ? false : POLL_MS),
  }).data;
  return channel && <StripFacts tenant={tenant} conversation={conversation} channel={channel} />;
}

/** Through which account, until when somebody can write there, what it has cost and when the agent comes back. */
function StripFacts({ tenant, conversation, channel }: Props & { channel: ConversationChannel }) {
  const t = useTexts();
  const words = t.channels.thread;
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const now = useNow(TICK_MS);
  const { handoff } = conversation;
  const returns = handoff.mode === 'human' ? handoff.returns_at : undefined;
  const reach = windowText(channel, now, formats, t);
  const { cost_micros: micros, unknown } = channel.cost;
  const spent = (() => {
    if (unknown > 0) return words.costBut(money.written(micros), unknown);
    return micros > 0 ? words.cost(money.written(micros)) : words.free;
  })();
  return (
    <Group className={styles.strip} role="group" aria-label={words.about} gap={4} px="xs" py={4}>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        <TextLink
          to="/t/$tenant/channels/$connection"
          params={{ tenant, connection: channel.connection_id }}
          search={{}}
          inherit
        >
          {words.through(channel.connection_name)}
        </TextLink>
      </Text>
      {reach && (
        <Text
          size="xs"
          fw={channel.open ? undefined : 600}
          className={channel.open ? undefined : styles.attention}
        >
          {reach}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {spent}
      </Text>
      {channel.opted_out_at && (
        <Text size="xs" className={styles.attention}>
          {words.optedOut}
        </Text>
      )}
      {returns && (
        <Text size="xs" fw={600}>
          {returnText(returns, now, t)}
        </Text>
      )}
    </Group>
  );
}
