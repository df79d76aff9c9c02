import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import { ListSkeleton } from '../../../parts/skeletons';
import type { Connectable } from '../../../routes/channels';
import { Trouble } from '../../settings/parts/refusal';
import { ChannelDoctor } from '../parts/doctor';
import { WebhookPanel } from '../parts/webhook';
import { channelOf } from '../queries';
import { StepPanel } from './steps';

/** How often is looked whether the first message has arrived, which nothing else tells. */
const LOOK_MS = 4_000;

/** The address to be pasted at the channel, and then a test of whether all is in its place. */
export function ConnectedSteps({
  tenant,
  channel,
  id,
}: {
  tenant: string;
  channel: Connectable;
  id: string;
}) {
  const t = useTexts();
  const words = t.channels.steps;
  const [step, setStep] = useState<'webhook' | 'trial'>('webhook');
  const found = useQuery({
    ...channelOf(tenant, id),
    refetchInterval: (query) => (step === 'trial' && !query.state.data?.last_received_at ? LOOK_MS : false),
  });
  if (found.isPending) return <ListSkeleton rows={3} />;
  if (found.isLoadingError) return <Trouble error={found.error} again={found.refetch} />;
  return (
    <StepPanel step={step}>
      {step === 'webhook' ? (
        <>
          <WebhookPanel tenant={tenant} connection={id} channel={channel} />
          <Group gap="xs">
            <Button onClick={() => setStep('trial')}>{words.toTrial}</Button>
          </Group>
        </>
      ) : (
        <>
          <Text size="sm">{t.channels.doctor.intro}</Text>
          <ChannelDoctor tenant={tenant} connection={found.data} />
          <Group gap="xs">
            <ButtonLink to="/t/$tenant/channels/$connection" params={{ tenant, connection: id }} search={{}}>
              {words.finish}
            </ButtonLink>
            <ButtonLink to="/t/$tenant/conversations" params={{ tenant }} search={{}} variant="default">
              {words.toInbox}
            </ButtonLink>
            <Button variant="subtle" onClick={() => setStep('webhook')}>
              {words.toAddress}
            </Button>
          </Group>
        </>
      )}
    </StepPanel>
  );
}
