import { Badge, Box, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Texts } from '../../i18n';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { DELIVERY_STATES, type DeliveryState } from '../../routes/channels';
import { useFormats } from '../customers/formats';
import { useMoney } from '../metrics/money';
import { PagedList } from '../settings/parts/paged-list';
import { Refusal } from '../settings/parts/refusal';
import { useRights } from '../settings/rights';
import { type Connection, type Outbound, sentPages } from './queries';

const COLOURS: Record<DeliveryState, string> = {
  waiting: 'gray',
  sending: 'gray',
  sent: 'teal',
  delivered: 'teal',
  read: 'teal',
  failed: 'red',
};
/** What is on its way comes further by itself. */
const LOOK_MS = 15_000;

/** What went through a connection, how far each came and why some did not. */
export function SentTab({
  tenant,
  connection,
  state,
}: {
  tenant: string;
  connection: Connection;
  state: DeliveryState | undefined;
}) {
  const t = useTexts();
  const words = t.channels.sentLog;
  const navigate = useNavigate({ from: '/t/$tenant/channels/$connection' });
  const { may } = useRights(tenant);
  const list = useInfiniteQuery({
    ...sentPages(tenant, connection.id, state),
    enabled: may('customers:read'),
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : LOOK_MS),
  });
  if (!may('customers:read')) return <Refusal permission="customers:read" />;
  const choose = (value: string | null) => {
    const wanted = DELIVERY_STATES.find((one) => one === value);
    void navigate({ search: wanted ? { tab: 'sent', state: wanted } : { tab: 'sent' }, replace: true });
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.intro}
      </Text>
      <Select
        label={words.filter}
        maw={240}
        data={[
          { value: 'all', label: words.all },
          ...DELIVERY_STATES.map((value) => ({ value, label: t.channels.states[value] })),
        ]}
        value={state ?? 'all'}
        onChange={choose}
        allowDeselect={false}
      />
      <PagedList
        label={t.channels.tabs.sent}
        list={list}
        keyOf={(record) => record.id}
        render={(record) => <SentRow tenant={tenant} record={record} />}
        empty={<EmptyState title={words.emptyTitle} text={state ? words.noneText : words.emptyText} />}
      />
    </Stack>
  );
}

/** What stood in a message, as far as it can be told in a line. */
function wordsOf({ content }: Outbound, t: Texts): string {
  const { kind, text, name, body, filename, caption } = content;
  const line = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
  if (kind === 'template') {
    const values = Array.isArray(body) ? body.filter((one) => typeof one === 'string') : [];
    return [t.channels.sentLog.template(line(name) ?? ''), ...values].join(' · ');
  }
  return line(text) ?? line(caption) ?? line(filename) ?? t.channels.sentLog.file;
}

function SentRow({ tenant, record }: { tenant: string; record: Outbound }) {
  const t = useTexts();
  const words = t.channels.sentLog;
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const { state, fault, conversation_id: conversation, attempts, cost_micros: cost } = record;
  const code = fault?.code ? ` (${words.code(fault.code)})` : '';
  const reason = fault && `${fault.message}${code}`;
  const facts = [
    formats.full(record.created_at),
    attempts > 1 && words.attempts(attempts),
    record.by_person && words.byPerson,
    cost ? money.written(cost) : undefined,
  ].filter(Boolean);
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Box miw={0}>
          <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {wordsOf(record, t)}
          </Text>
          {reason && (
            <Text size="sm" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
              {state === 'failed' ? t.channels.failedBecause(reason) : t.channels.waitsBecause(reason)}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {facts.join(' · ')}
          </Text>
          {conversation && (
            <TextLink
              to="/t/$tenant/conversations/$conversation"
              params={{ tenant, conversation }}
              search={{}}
              size="sm"
            >
              {words.seeThread}
            </TextLink>
          )}
        </Box>
        <Badge variant="light" color={COLOURS[state]} tt="none" style={{ flexShrink: 0 }}>
          {t.channels.states[state]}
        </Badge>
      </Group>
    </Paper>
  );
}
