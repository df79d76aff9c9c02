import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { useFormats } from '../customers/formats';
import { leadOf } from '../customers/queries';
import { TemperatureBadge } from '../customers/temperature';
import styles from './inbox.module.css';
import type { Conversation, HandoffMode } from './queries';

/** What waits for somebody stands out, in both themes. */
const COLOURS = { ai: 'gray', pending_human: 'ochre.8', human: 'teal' } as const;

export function ModeBadge({ mode }: { mode: HandoffMode }) {
  const t = useTexts();
  return (
    <Badge color={COLOURS[mode]} variant={mode === 'pending_human' ? 'filled' : 'light'} size="sm" tt="none">
      {t.conversations.modes[mode]}
    </Badge>
  );
}

/** A conversation as it stands in the list: who, when, what was said last and who answers. */
export function ConversationRow({
  tenant,
  conversation,
  current,
}: {
  tenant: string;
  conversation: Conversation;
  current: boolean;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  // Only where the list does not tell.
  const untold = conversation.lead_name === undefined;
  const found = useQuery({ ...leadOf(tenant, conversation.lead_id), enabled: untold });
  const lead = found.data;
  const known = conversation.lead_name ?? lead?.name;
  const name = known ?? (found.isLoading ? '…' : t.customers.unnamed);
  const { last_message: said, handoff } = conversation;
  const waits = handoff.mode === 'pending_human';
  const text = waits && handoff.reason ? handoff.reason : said?.text;
  const temperature = conversation.lead_temperature ?? lead?.temperature;
  return (
    <Link
      to="/t/$tenant/conversations/$conversation"
      params={{ tenant, conversation: conversation.id }}
      search
      className={styles.row}
      data-current={current || undefined}
      aria-current={current ? 'page' : undefined}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={600} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formats.brief(conversation.last_message_at ?? conversation.created_at)}
        </Text>
      </Group>
      {text && (
        <Text size="sm" c="dimmed" truncate>
          {said && !(waits && handoff.reason) && said.role !== 'user'
            ? `${t.conversations.roles[said.role]}: ${text}`
            : text}
        </Text>
      )}
      <Group gap={6} mt={4}>
        <ModeBadge mode={handoff.mode} />
        {temperature && <TemperatureBadge temperature={temperature} />}
        {conversation.status === 'closed' && (
          <Badge variant="outline" color="gray" size="sm" tt="none">
            {t.conversations.isClosed}
          </Badge>
        )}
        <Text size="xs" c="dimmed">
          {t.customers.channels[conversation.channel]}
        </Text>
      </Group>
    </Link>
  );
}
