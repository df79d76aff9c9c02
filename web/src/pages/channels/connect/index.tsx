import { SimpleGrid, Text } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { CardLink } from '../../../parts/links';
import { CONNECTABLE } from '../../../routes/channels';
import { RestrictedPage } from '../../settings/parts/refusal';
import { AccountSteps } from './account-steps';
import { ConnectedSteps } from './connected-steps';

/** Connects an account at a channel, step by step. */
export function ConnectPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { channel, connection } = useSearch({ from: '/inside/t/$tenant/channels/connect' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="secrets:write"
      title={channel ? `${t.channels.connect}: ${t.customers.channels[channel]}` : t.channels.connect}
      intro={channel ? undefined : t.channels.choose}
    >
      {!channel && <ChannelChoice tenant={tenant} />}
      {channel && !connection && <AccountSteps key={channel} tenant={tenant} channel={channel} />}
      {channel && connection && (
        <ConnectedSteps key={connection} tenant={tenant} channel={channel} id={connection} />
      )}
    </RestrictedPage>
  );
}

function ChannelChoice({ tenant }: { tenant: string }) {
  const t = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {CONNECTABLE.map((channel) => (
        <CardLink key={channel} to="/t/$tenant/channels/connect" params={{ tenant }} search={{ channel }}>
          <Text fw={600}>{t.customers.channels[channel]}</Text>
          <Text size="sm" c="dimmed">
            {t.channels.chooseTexts[channel]}
          </Text>
        </CardLink>
      ))}
    </SimpleGrid>
  );
}
