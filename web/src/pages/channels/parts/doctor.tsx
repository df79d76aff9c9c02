import { Box, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Texts } from '../../../i18n';
import { useTexts } from '../../../i18n';
import { useFormats } from '../../customers/formats';
import { Trouble } from '../../settings/parts/refusal';
import { type Connection, channelsKey, checkChannel, type Report } from '../queries';
import { asSentence } from '../words';

type Finding = {
  key: string;
  state: keyof Texts['channels']['doctor']['states'];
  title: string;
  help?: string;
};

const MARKS = {
  good: { sign: '✓', color: 'light-dark(var(--mantine-color-teal-7), var(--mantine-color-teal-2))' },
  bad: { sign: '✗', color: 'var(--mantine-color-error)' },
  unknown: { sign: '?', color: 'light-dark(var(--mantine-color-ochre-7), var(--mantine-color-ochre-3))' },
} as const;

/** Asks the channel about a connection, and says one by one what is well and what is not. */
export function ChannelDoctor({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const words = t.channels.doctor;
  const queries = useQueryClient();
  const checking = useMutation({
    mutationFn: () => checkChannel(connection.id),
    // A fault may have come or gone with it.
    onSuccess: () => queries.invalidateQueries({ queryKey: channelsKey(tenant) }),
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
        {checking.data ? words.again : words.run}
      </Button>
      <Box aria-live="polite" w="100%">
        {checking.isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">{words.running}</Text>
          </Group>
        )}
        {checking.isError && <Trouble error={checking.error} again={() => checking.mutate()} />}
        {checking.data && !checking.isPending && (
          <FindingList tenant={tenant} report={checking.data} connection={connection} />
        )}
      </Box>
    </Stack>
  );
}

function FindingList({
  tenant,
  report,
  connection,
}: {
  tenant: string;
  report: Report;
  connection: Connection;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  // It may have arrived since the channel was asked.
  const received = connection.last_received_at ?? report.last_received_at;
  const findings = findingsOf(report, received ? formats.full(received) : undefined, t);
  return (
    <Stack
      component="ul"
      aria-label={t.channels.doctor.list}
      gap="xs"
      m={0}
      p={0}
      style={{ listStyle: 'none' }}
    >
      {findings.map(({ key, state, title, help }) => (
        <Group component="li" key={key} gap="xs" wrap="nowrap" align="flex-start">
          <Text
            span
            fw={700}
            w={16}
            ta="center"
            role="img"
            aria-label={t.channels.doctor.states[state]}
            style={{ color: MARKS[state].color }}
          >
            {MARKS[state].sign}
          </Text>
          <Box miw={0}>
            <Text size="sm" fw={500}>
              {title}
            </Text>
            {help && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {help}
              </Text>
            )}
          </Box>
        </Group>
      ))}
    </Stack>
  );
}

function findingsOf(report: Report, received: string | undefined, t: Texts): Finding[] {
  const words = t.channels.doctor;
  const { key_works: works, account_name: name, subscribed, quality, problem } = report;
  const findings: Finding[] = [
    works
      ? { key: 'key', state: 'good', title: words.keyGood, help: name ? words.seenAs(name) : undefined }
      : { key: 'key', state: 'bad', title: words.keyBad, help: problem ? asSentence(problem) : undefined },
  ];
  if (works && subscribed != null)
    findings.push(
      subscribed
        ? { key: 'subscribed', state: 'good', title: words.subscribed }
        : { key: 'subscribed', state: 'bad', title: words.notSubscribed, help: words.notSubscribedHelp },
    );
  else if (works && !received)
    findings.push({
      key: 'subscribed',
      state: 'unknown',
      title: words.mayBeSubscribed,
      help: words.mayBeSubscribedHelp,
    });
  findings.push(
    received
      ? { key: 'received', state: 'good', title: words.received(received) }
      : { key: 'received', state: 'unknown', title: words.notReceived, help: words.notReceivedHelp },
  );
  if (quality) {
    const names: Record<string, string> = words.qualities;
    const state = quality === 'RED' ? 'bad' : quality === 'GREEN' ? 'good' : 'unknown';
    findings.push({
      key: 'quality',
      state,
      title: words.quality(names[quality] ?? quality),
      help: words.qualityHelp,
    });
  }
  return findings;
}
