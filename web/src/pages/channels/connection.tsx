import { Button, ScrollArea, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n';
import { ButtonLink } from '../../parts/links';
import { done, failed } from '../../parts/notify';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { Trouble } from '../settings/parts/refusal';
import { useRights } from '../settings/rights';
import { useChannelSaving } from './changing';
import { CostTab } from './cost';
import { ConnectionBadges } from './parts/badges';
import { type Connection, channelOf } from './queries';
import { SentTab } from './sent';
import { SettingsTab } from './settings';
import { StateTab } from './state';
import { TemplatesTab } from './templates';

const ROUTE = '/inside/t/$tenant/channels/$connection';
const LOOK_MS = 30_000;
const TABS = ['state', 'settings', 'sent', 'templates', 'cost'] as const;

/** A connected account: how it does, how it behaves, what went through it and what that cost. */
export function ConnectionPage() {
  const { tenant, connection: id } = useParams({ from: ROUTE });
  // When something came or went last is told by nobody.
  const found = useQuery({ ...channelOf(tenant, id), refetchInterval: LOOK_MS });
  const connection = found.data;
  // What could not be read again is shown as it was: somebody may be writing in it.
  if (!connection && found.isError) return <Trouble error={found.error} again={found.refetch} />;
  if (!connection) return <PageSkeleton />;
  return <ConnectionParts key={id} tenant={tenant} connection={connection} />;
}

function ConnectionParts({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const { tab, state, month } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/channels/$connection' });
  const { may } = useRights(tenant);
  const { channel } = connection;
  const open = TABS.filter(
    (one) => (one !== 'templates' || channel === 'whatsapp') && (one !== 'cost' || may('usage:read')),
  );
  const shown = open.find((one) => one === tab) ?? 'state';
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that is shown is found by its state
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  const panel = { tenant, connection };
  return (
    <Page
      title={connection.name}
      intro={t.customers.channels[channel]}
      actions={
        <>
          <ConnectionBadges connection={connection} />
          {may('secrets:write') && <PauseButton {...panel} />}
          <ButtonLink to="/t/$tenant/channels" params={{ tenant }} variant="default" size="xs">
            {t.channels.back}
          </ButtonLink>
        </>
      }
    >
      <Tabs
        value={shown}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <ScrollArea type="never" viewportRef={tabs}>
          <Tabs.List
            aria-label={t.channels.tabs.label}
            style={{ flexWrap: 'nowrap', minWidth: 'max-content' }}
          >
            {open.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t.channels.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollArea>
        <Tabs.Panel value={shown} pt="md">
          {shown === 'state' && <StateTab {...panel} />}
          {shown === 'settings' && <SettingsTab {...panel} />}
          {shown === 'sent' && <SentTab {...panel} state={state} />}
          {shown === 'templates' && <TemplatesTab {...panel} />}
          {shown === 'cost' && <CostTab {...panel} month={month} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** While it is paused what arrives is kept, and nobody answers but people. */
function PauseButton({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const isPaused = connection.status === 'paused';
  const saving = useChannelSaving(tenant, connection, ({ status }) =>
    done(status === 'paused' ? t.channels.paused : t.channels.resumed),
  );
  return (
    <Button
      size="xs"
      variant={isPaused ? 'filled' : 'default'}
      loading={saving.isPending}
      onClick={() => saving.mutate({ status: isPaused ? 'active' : 'paused' }, { onError: failed })}
    >
      {isPaused ? t.channels.resume : t.channels.pause}
    </Button>
  );
}
