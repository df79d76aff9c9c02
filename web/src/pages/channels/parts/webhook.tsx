import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { ListSkeleton } from '../../../parts/skeletons';
import type { Connectable } from '../../../routes/channels';
import { Trouble } from '../../settings/parts/refusal';
import { webhookOf } from '../queries';
import { CopiedValue } from './copied';

/** Those that ask for a word before they deliver to an address. */
const ASKS: readonly Connectable[] = ['whatsapp', 'instagram', 'messenger'];

/** Where a channel is to deliver to, to be copied into its settings, and where that is. */
export function WebhookPanel({
  tenant,
  connection,
  channel,
}: {
  tenant: string;
  connection: string;
  channel: Connectable;
}) {
  const t = useTexts();
  const words = t.channels.webhook;
  const found = useQuery(webhookOf(tenant, connection));
  if (found.isPending) return <ListSkeleton rows={2} />;
  if (found.isError) return <Trouble error={found.error} again={found.refetch} />;
  const { path, verify_token: verify } = found.data;
  return (
    <Stack gap="sm">
      {window.location.protocol !== 'https:' && (
        <Alert color="ochre" p="xs" role="note">
          <Text size="sm">{words.insecure}</Text>
        </Alert>
      )}
      <CopiedValue
        label={words.address}
        value={`${window.location.origin}${path}`}
        copy={words.copyAddress}
      />
      {ASKS.includes(channel) && <CopiedValue label={words.verify} value={verify} copy={words.copyVerify} />}
      <Text size="sm">{words.how[channel]}</Text>
    </Stack>
  );
}
