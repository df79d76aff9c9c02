import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../../i18n';
import { CONNECTABLE } from '../../routes/channels';
import { useFormats } from '../customers/formats';
import { KeyFacts } from '../settings/parts/key-facts';
import { useRights } from '../settings/rights';
import { faultText } from './faults';
import { ChannelDoctor } from './parts/doctor';
import { WebhookPanel } from './parts/webhook';
import type { Connection } from './queries';
import { useAnswerer } from './words';

/** What a connection is and whether it works, with where its channel delivers to. */
export function StateTab({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const answerer = useAnswerer(tenant);
  const { may } = useRights(tenant);
  const words = t.channels.facts;
  const { status, parent_id: parent, key_hint: hint } = connection;
  const when = (at: string | null | undefined) => (at ? formats.full(at) : words.never);
  const fault = faultText(connection, t, formats);
  const channel = CONNECTABLE.find((one) => one === connection.channel);
  const facts: [string, string][] = [
    [words.agent, status === 'paused' ? t.channels.nobodyAnswers : answerer(connection)],
    [words.received, when(connection.last_received_at)],
    [words.sent, when(connection.last_sent_at)],
    [words.account, connection.account_id],
    ...(parent ? [[words.parent, parent] as [string, string]] : []),
    ...(channel && hint ? [[words.key, hint] as [string, string]] : []),
    [words.connected, formats.full(connection.created_at)],
  ];
  return (
    <Stack maw={880}>
      {fault && (
        <Alert color="ochre" title={t.channels.faulty} role="note">
          {fault}
        </Alert>
      )}
      {status === 'paused' && (
        <Alert color="gray" role="note">
          {t.channels.pausedText}
        </Alert>
      )}
      <Paper withBorder p="md">
        <KeyFacts facts={facts} />
      </Paper>
      {channel && (
        <Paper withBorder p="md" component="section">
          <Stack gap="xs">
            <Title order={2} size="h4">
              {t.channels.doctor.title}
            </Title>
            {may('agents:write') ? (
              <ChannelDoctor tenant={tenant} connection={connection} />
            ) : (
              <Text size="sm" c="dimmed">
                {t.channels.doctor.onlyManagers}
              </Text>
            )}
          </Stack>
        </Paper>
      )}
      {channel && (
        <Paper withBorder p="md" component="section">
          <Stack gap="xs">
            <Title order={2} size="h4">
              {t.channels.webhook.title}
            </Title>
            {may('secrets:read') ? (
              <WebhookPanel tenant={tenant} connection={connection.id} channel={channel} />
            ) : (
              <Text size="sm" c="dimmed">
                {t.channels.webhook.hidden}
              </Text>
            )}
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
