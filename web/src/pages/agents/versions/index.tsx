import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { useNames } from '../../conversations/names';
import { useFormats } from '../../customers/formats';
import { Dialog } from '../../settings/parts/dialog';
import { type AgentVersion, type SavedAgent, versionPages } from '../queries';
import { type Pair, VersionComparison } from './compare';
import { RestoreForm } from './restore';

type Props = { tenant: string; agent: SavedAgent };

/** How an agent was, what changed from one time to the other, and the way back. */
export function VersionsTab({ tenant, agent }: Props) {
  const t = useTexts();
  const versions = useInfiniteQuery(versionPages(tenant, agent.id));
  const [pair, setPair] = useState<Pair>();
  const [restored, setRestored] = useState<number>();
  const comparison = useRef<HTMLDivElement>(null);
  const all = versions.data?.pages.flatMap((page) => page.data) ?? [];
  const compare = (from: number) => {
    setPair({ from, to: 'live' });
    // It stands above the list and may be out of sight.
    requestAnimationFrame(() => comparison.current?.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <Stack maw={860}>
      <Text size="sm">{t.versions.intro}</Text>
      {pair && (
        <div ref={comparison}>
          <VersionComparison tenant={tenant} agent={agent} versions={all} pair={pair} change={setPair} />
        </div>
      )}
      {versions.isError && <FailureNotice error={versions.error} again={versions.refetch} />}
      {versions.isPending && <ListSkeleton />}
      {versions.isSuccess && all.length === 0 && (
        <EmptyState title={t.versions.emptyTitle} text={t.versions.emptyText} />
      )}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.versions.list}>
        {all.map((version) => (
          <VersionRow
            key={version.number}
            tenant={tenant}
            version={version}
            compare={() => compare(version.number)}
            restore={() => setRestored(version.number)}
          />
        ))}
      </Stack>
      {versions.hasNextPage && (
        <Button
          variant="default"
          onClick={() => versions.fetchNextPage()}
          loading={versions.isFetchingNextPage}
        >
          {t.common.more}
        </Button>
      )}
      <Dialog
        opened={restored !== undefined}
        onClose={() => setRestored(undefined)}
        title={restored === undefined ? '' : t.versions.restoreTitle(restored)}
        size="xl"
      >
        {restored !== undefined && (
          <RestoreForm tenant={tenant} agent={agent} number={restored} close={() => setRestored(undefined)} />
        )}
      </Dialog>
    </Stack>
  );
}

type RowProps = { tenant: string; version: AgentVersion; compare: () => void; restore: () => void };

function VersionRow({ tenant, version, compare, restore }: RowProps) {
  const t = useTexts();
  const nameOf = useNames(tenant);
  const formats = useFormats(tenant);
  const { number, origin, note, made_by, made_at, restored_from, live } = version;
  const happened = restored_from ? t.versions.restoredFrom(restored_from) : t.versions.origins[origin];
  return (
    <Paper withBorder p="sm" component="li">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 240px" miw={0}>
          <Group gap="xs">
            <Text fw={600}>{t.versions.number(number)}</Text>
            {live && <Badge variant="light">{t.versions.live}</Badge>}
          </Group>
          {note && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {note}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {happened} · {made_by ? nameOf(made_by) : t.versions.house} · {formats.full(made_at)}
          </Text>
        </Stack>
        {!live && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={compare}
              aria-label={t.versions.compareNumber(number)}
            >
              {t.versions.compare}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={restore}
              aria-label={t.versions.restoreNumber(number)}
            >
              {t.versions.restore}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}
