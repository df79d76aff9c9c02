import { Paper, Select, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { type AgentVersion, type SavedAgent, versionDifferenceOf } from '../queries';
import { DifferenceList } from './difference';

/** Two states of an agent: the number of a version, and that of another one, `live` or `draft`. */
export type Pair = { from: number; to: string };

type Props = {
  tenant: string;
  agent: SavedAgent;
  versions: AgentVersion[];
  pair: Pair;
  change: (pair: Pair) => void;
};

/** What any two states of an agent differ in. */
export function VersionComparison({ tenant, agent, versions, pair, change }: Props) {
  const t = useTexts();
  const against = pair.to === 'draft' && !agent.draft ? 'live' : pair.to;
  const difference = useQuery(versionDifferenceOf(tenant, agent.id, pair.from, against));
  const numbers = versions.map(({ number }) => ({
    value: String(number),
    label: t.versions.number(number),
  }));
  const states = [
    { value: 'live', label: t.versions.liveNow },
    ...(agent.draft ? [{ value: 'draft', label: t.versions.draft }] : []),
    ...numbers,
  ];
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t.versions.compareTitle}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t.versions.from}
            data={numbers}
            value={String(pair.from)}
            allowDeselect={false}
            onChange={(value) => value && change({ ...pair, from: Number(value) })}
          />
          <Select
            label={t.versions.to}
            data={states}
            value={against}
            allowDeselect={false}
            onChange={(value) => value && change({ ...pair, to: value })}
          />
        </SimpleGrid>
        {difference.isPending && <ListSkeleton />}
        {difference.isError && <FailureNotice error={difference.error} again={difference.refetch} />}
        {difference.isSuccess && <DifferenceList tenant={tenant} fields={difference.data.data} />}
      </Stack>
    </Paper>
  );
}
