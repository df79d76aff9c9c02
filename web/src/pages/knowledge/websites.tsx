import { Alert, Badge, Button, Group, Modal, Paper, Progress, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { done, failed } from '../../parts/notify';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../customers/formats';
import { baseOf, websitesOf } from './queries';
import { useBaseRights } from './rights';
import { WebsiteForm } from './website-form';
import { WebsitePages } from './website-pages';
import { useWebsiteSearch } from './website-search';

type Website = Schemas['Website'];

const COLOURS = { waiting: 'gray', reading: 'ochre', ready: 'teal', stopped: 'gray', failed: 'red' } as const;
const isBusy = ({ status }: Website) => status === 'waiting' || status === 'reading';

/** The websites that are read into a knowledge base. */
export function WebsiteList({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const words = t.websites;
  const queries = useQueryClient();
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Website>();
  const { site: looked, change: look } = useWebsiteSearch();
  const sites = useQuery(websitesOf(tenant, kb));
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
  const saved = async () => {
    setAdding(false);
    setChanging(undefined);
    await again();
  };
  const { writes } = useBaseRights(tenant, useQuery(baseOf(tenant, kb)).data);
  const add = writes && <Button onClick={() => setAdding(true)}>{words.add}</Button>;
  const found = sites.data?.data ?? [];
  const looking = found.find(({ id }) => id === looked);
  return (
    <Stack>
      {sites.isError && <FailureNotice error={sites.error} again={sites.refetch} />}
      {sites.isPending && <ListSkeleton rows={2} />}
      {sites.isSuccess && found.length === 0 && (
        <EmptyState title={words.emptyTitle} text={words.emptyText} action={add} />
      )}
      {found.length > 0 && (
        <Group justify="space-between" align="flex-start">
          <Text c="dimmed" size="sm" maw={560}>
            {words.intro}
          </Text>
          {add}
        </Group>
      )}
      {found.map((site) => (
        <WebsiteCard
          key={site.id}
          tenant={tenant}
          site={site}
          writes={writes}
          again={again}
          change={() => setChanging(site)}
          look={() => look({ site: site.id })}
        />
      ))}
      <GuardedDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={words.add}
        size="lg"
        fullScreen={narrow}
      >
        <WebsiteForm kb={kb} saved={saved} />
      </GuardedDialog>
      <GuardedDialog
        opened={changing !== undefined}
        onClose={() => setChanging(undefined)}
        title={words.changeTitle}
        size="lg"
        fullScreen={narrow}
      >
        {changing && <WebsiteForm kb={kb} site={changing} saved={saved} />}
      </GuardedDialog>
      <Modal
        opened={looking !== undefined}
        onClose={() => look({ site: undefined, state: undefined })}
        title={<Text style={{ overflowWrap: 'anywhere' }}>{looking?.address}</Text>}
        size="xl"
        fullScreen={narrow}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        {looking && <WebsitePages tenant={tenant} kb={kb} id={looking.id} />}
      </Modal>
    </Stack>
  );
}

function WebsiteCard({
  tenant,
  site,
  writes,
  again,
  change,
  look,
}: {
  tenant: string;
  site: Website;
  writes: boolean;
  again: () => Promise<void>;
  change: () => void;
  look: () => void;
}) {
  const t = useTexts();
  const words = t.websites;
  const path = { website_id: site.id };
  const reading = useMutation({
    mutationFn: () => told(api.POST('/api/v1/websites/{website_id}/read', { params: { path } })),
    onSuccess: async () => {
      done(words.started);
      await again();
    },
    onError: failed,
  });
  const stopping = useMutation({
    mutationFn: () => told(api.POST('/api/v1/websites/{website_id}/stop', { params: { path } })),
    onSuccess: again,
    onError: failed,
  });
  const deleting = useMutation({
    mutationFn: () => told(api.DELETE('/api/v1/websites/{website_id}', { params: { path } })),
    onSuccess: async ({ removed: { rows } }) => {
      done(words.receipt(rows.documents, rows.chunks));
      await again();
    },
    onError: failed,
  });
  const ask = () =>
    modals.openConfirmModal({
      title: words.deleteTitle,
      children: (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words.deleteText(site.address, site.counts.read)}
        </Text>
      ),
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': t.common.close },
      onConfirm: () => deleting.mutate(),
    });
  return (
    <Paper withBorder p="md" component="section" aria-label={site.address}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
          <Text fw={600} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {site.address}
          </Text>
          <Badge color={COLOURS[site.status]} variant="light" style={{ flexShrink: 0 }}>
            {words.statuses[site.status]}
          </Badge>
        </Group>
        <ReadingState tenant={tenant} site={site} />
        {site.error_message && (
          <Alert color={site.status === 'failed' ? 'red' : 'ochre'} p="xs">
            <Text size="sm">{site.error_message}</Text>
          </Alert>
        )}
        <Group gap="xs">
          {writes && isBusy(site) && (
            <Button
              size="xs"
              variant="default"
              onClick={() => stopping.mutate()}
              loading={stopping.isPending}
            >
              {words.stop}
            </Button>
          )}
          {writes && !isBusy(site) && (
            <Button size="xs" variant="default" onClick={() => reading.mutate()} loading={reading.isPending}>
              {words.read}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={look}>
            {words.pages}
          </Button>
          {writes && (
            <>
              <Button size="xs" variant="default" onClick={change}>
                {words.change}
              </Button>
              <Button size="xs" color="red" variant="light" onClick={ask} loading={deleting.isPending}>
                {t.common.delete}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** How far the reading is, or what the last one came to. */
function ReadingState({ tenant, site }: { tenant: string; site: Website }) {
  const words = useTexts().websites;
  const { full } = useFormats(tenant);
  const { counts } = site;
  const settled = counts.read + counts.failed;
  const told = [
    words.counts.read(counts.read),
    counts.changed > 0 && words.counts.changed(counts.changed),
    counts.removed > 0 && words.counts.removed(counts.removed),
    counts.skipped_by_robots > 0 && words.counts.skipped(counts.skipped_by_robots),
    counts.failed > 0 && words.counts.failed(counts.failed),
  ].filter(Boolean);
  const times = [
    site.last_read_at ? words.lastRead(full(site.last_read_at)) : words.neverRead,
    words.schedules[site.refresh],
    site.next_read_at && words.nextRead(full(site.next_read_at)),
  ].filter(Boolean);
  return (
    <Stack gap={4}>
      {site.status === 'reading' && counts.found > 0 && (
        <>
          <Progress
            value={(settled * 100) / counts.found}
            aria-label={words.progress(settled, counts.found)}
          />
          <Text size="sm" aria-live="polite">
            {words.progress(settled, counts.found)}
          </Text>
        </>
      )}
      {site.status !== 'waiting' && <Text size="sm">{told.join(' · ')}</Text>}
      <Text size="xs" c="dimmed">
        {times.join(' · ')}
      </Text>
    </Stack>
  );
}
