import { Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { ButtonLink, CardLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { useFormats } from '../customers/formats';
import { PagedList } from '../settings/parts/paged-list';
import { RestrictedPage } from '../settings/parts/refusal';
import { useRights } from '../settings/rights';
import { faultText } from './faults';
import { ConnectionBadges } from './parts/badges';
import { type Connection, channelPages } from './queries';
import { useAnswerer } from './words';

const LOOK_MS = 30_000;

export function ChannelsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { may } = useRights(tenant);
  const list = useInfiniteQuery({
    ...channelPages(tenant),
    enabled: may('agents:read'),
    // When something came or went last is told by nobody.
    refetchInterval: LOOK_MS,
  });
  const isEmpty = list.data?.pages[0]?.data.length === 0;
  const connect = may('secrets:write') && (
    <ButtonLink to="/t/$tenant/channels/connect" params={{ tenant }} search={{}}>
      {t.channels.connect}
    </ButtonLink>
  );
  return (
    <RestrictedPage
      tenant={tenant}
      needs="agents:read"
      title={t.channels.title}
      intro={t.channels.intro}
      actions={!isEmpty && connect}
    >
      <PagedList
        label={t.channels.list}
        list={list}
        keyOf={(connection) => connection.id}
        render={(connection) => <ConnectionCard tenant={tenant} connection={connection} />}
        empty={
          <EmptyState
            title={t.channels.emptyTitle}
            text={connect ? t.channels.emptyText : `${t.channels.emptyText} ${t.channels.emptyAsk}`}
            action={connect}
          />
        }
      />
    </RestrictedPage>
  );
}

function ConnectionCard({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const answerer = useAnswerer(tenant);
  const { channel, name, status, last_received_at: received, last_sent_at: sent } = connection;
  const fault = faultText(connection, t, formats);
  return (
    <CardLink to="/t/$tenant/channels/$connection" params={{ tenant, connection: connection.id }} search={{}}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Group gap={6}>
          <ConnectionBadges connection={connection} />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.customers.channels[channel]} ·{' '}
        {status === 'paused' ? t.channels.nobodyAnswers : t.channels.answers(answerer(connection))}
      </Text>
      {fault && (
        <Text size="sm" mt={4}>
          {fault}
        </Text>
      )}
      <Group gap="md" mt={4}>
        <Text size="xs" c="dimmed">
          {received ? t.channels.received(formats.full(received)) : t.channels.neverReceived}
        </Text>
        <Text size="xs" c="dimmed">
          {sent ? t.channels.sent(formats.full(sent)) : t.channels.neverSent}
        </Text>
      </Group>
    </CardLink>
  );
}
