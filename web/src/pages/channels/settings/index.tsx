import { Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { CONNECTABLE } from '../../../routes/channels';
import { useRights } from '../../settings/rights';
import type { Connection } from '../queries';
import { ChannelEnd } from './end';
import { SettingsForm } from './form';
import { ChannelKey } from './key';

/** How a connection behaves, its key, and its end. */
export function SettingsTab({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const mayWrite = may('secrets:write');
  // A chat on the web has no key of somebody else.
  const hasKey = CONNECTABLE.some((one) => one === connection.channel);
  return (
    <Stack maw={720}>
      {!mayWrite && (
        <Text size="sm" c="dimmed">
          {t.channels.settings.readOnly}
        </Text>
      )}
      <SettingsForm tenant={tenant} connection={connection} readOnly={!mayWrite} />
      {mayWrite && hasKey && <ChannelKey tenant={tenant} connection={connection} />}
      {mayWrite && <ChannelEnd tenant={tenant} connection={connection} />}
    </Stack>
  );
}
