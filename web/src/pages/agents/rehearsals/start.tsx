import { Button, Checkbox, Group, Modal, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { addDays, instantOf, todayIn } from '../../agenda/clock';
import { tenantOf } from '../../settings/queries';
import { useRights } from '../../settings/rights';
import type { SavedAgent } from '../queries';
import { scriptsOf, useRehearsalStart } from './queries';

type Props = { tenant: string; agent: SavedAgent; opened: boolean; close: () => void };

/** Asks what is played again, and with whom. */
export function StartDialog({ opened, close, ...rest }: Props) {
  const t = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t.rehearsals.startTitle}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {opened && <StartForm close={close} {...rest} />}
    </Modal>
  );
}

const TARGETS = ['live', 'draft', 'version'] as const satisfies readonly Schemas['RehearsalTarget'][];

function StartForm({ tenant, agent, close }: Omit<Props, 'opened'>) {
  const t = useTexts();
  const words = t.rehearsals;
  const { may } = useRights(tenant);
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const zone = useQuery(tenantOf(tenant)).data?.time_zone ?? 'UTC';
  const today = todayIn(zone);
  const known = useQuery(scriptsOf(tenant, agent.id)).data?.data;
  const count = known?.length ?? 0;
  const starting = useRehearsalStart(tenant, agent.id);
  const [target, setTarget] = useState<Schemas['RehearsalTarget']>(agent.draft ? 'draft' : 'live');
  const [version, setVersion] = useState<number | string>(agent.version ?? 1);
  const [plays, setPlays] = useState(true);
  const [repeats, setRepeats] = useState(false);
  const [from, setFrom] = useState(addDays(today, -1));
  const [to, setTo] = useState(addDays(today, -1));
  const withScripts = plays && count > 0;
  const start = () => {
    const body: Schemas['StartRehearsal'] = {
      target,
      version: target === 'version' ? Number(version) : null,
      all_scripts: withScripts,
      // The last day is part of the period.
      ...(repeats && {
        from: instantOf(from, zone).toISOString(),
        to: instantOf(addDays(to, 1), zone).toISOString(),
      }),
    };
    starting.mutate(body, {
      onSuccess: (run) => {
        done(words.started);
        close();
        void navigate({ search: { tab: 'rehearsals', run: run.id } });
      },
    });
  };
  const period = (days: number) => {
    setFrom(addDays(today, -days));
    setTo(addDays(today, -1));
  };
  const shown = TARGETS.filter((one) => one !== 'draft' || agent.draft);
  return (
    <Stack>
      <Radio.Group
        label={words.against}
        value={target}
        onChange={(value) => setTarget(value as Schemas['RehearsalTarget'])}
      >
        <Stack gap={6} mt={6}>
          {shown.map((one) => (
            <Radio key={one} value={one} label={words.targets[one]} />
          ))}
        </Stack>
      </Radio.Group>
      {target === 'version' && (
        <NumberInput
          label={words.versionNumber}
          required
          min={1}
          allowDecimal={false}
          value={version}
          onChange={setVersion}
        />
      )}
      <Stack gap={6} role="group" aria-label={words.what}>
        <Text size="sm" fw={600}>
          {words.what}
        </Text>
        <Checkbox
          label={count > 0 ? words.withScripts(count) : words.noScripts}
          disabled={count === 0}
          checked={withScripts}
          onChange={(event) => setPlays(event.currentTarget.checked)}
        />
        {may('customers:read') && (
          <Checkbox
            label={words.withConversations}
            description={words.withConversationsHelp}
            checked={repeats}
            onChange={(event) => setRepeats(event.currentTarget.checked)}
          />
        )}
      </Stack>
      {repeats && (
        <Stack gap="xs">
          <Group gap="xs">
            <Button size="compact-sm" variant="light" onClick={() => period(1)}>
              {words.yesterday}
            </Button>
            <Button size="compact-sm" variant="light" onClick={() => period(7)}>
              {words.week}
            </Button>
          </Group>
          <Group gap="xs" grow>
            <TextInput
              type="date"
              label={words.from}
              max={to}
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={words.to}
              min={from}
              max={today}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
          </Group>
        </Stack>
      )}
      <Text size="xs" c="dimmed">
        {words.cost}
        {target !== 'live' && withScripts && ` ${words.costDraft}`}
      </Text>
      {starting.isError && <FailureNotice error={starting.error} />}
      <Group gap="xs">
        <Button
          onClick={start}
          loading={starting.isPending}
          disabled={!(withScripts || (repeats && from !== '' && to !== ''))}
        >
          {words.start}
        </Button>
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
