import { Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { CardLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../settings/formats';
import { useRights } from '../settings/rights';
import { NewBaseForm } from './create';
import { archivedBasesOf, basesOf, type KnowledgeBase } from './queries';

export function KnowledgePage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const bases = useQuery(basesOf(tenant));
  const archived = useQuery(archivedBasesOf(tenant)).data?.data ?? [];
  const [making, { open, close }] = useDisclosure();
  const { may } = useRights(tenant);
  const shares = may('knowledge:write');
  const words = shares ? t.knowledge.create : t.knowledge.createPersonal;
  const create = <Button onClick={open}>{words}</Button>;
  const all = bases.data?.data ?? [];
  const empty = bases.isSuccess && all.length === 0 && archived.length === 0;
  const personal = all.filter(({ scope }) => scope === 'personal');
  const shared = all.filter(({ scope }) => scope !== 'personal');
  return (
    <Page title={t.knowledge.title} intro={t.knowledge.intro} actions={empty ? undefined : create}>
      {bases.isError && <FailureNotice error={bases.error} again={bases.refetch} />}
      {bases.isPending && <ListSkeleton />}
      {empty && <EmptyState title={t.knowledge.emptyTitle} text={t.knowledge.emptyText} action={create} />}
      <Corpora tenant={tenant} title={t.knowledge.shared} bases={shared} />
      <Corpora
        tenant={tenant}
        title={t.knowledge.personal}
        text={t.knowledge.personalText}
        bases={personal}
      />
      <Corpora tenant={tenant} title={t.baseSettings.archivedBases} bases={archived} />
      <GuardedDialog opened={making} onClose={close} title={words}>
        <NewBaseForm tenant={tenant} shares={shares} />
      </GuardedDialog>
    </Page>
  );
}

/** Knowledge bases of one kind; nothing where there is none. */
function Corpora({
  tenant,
  title,
  text,
  bases,
}: {
  tenant: string;
  title: string;
  text?: string;
  bases: readonly KnowledgeBase[];
}) {
  const t = useTexts();
  const { bytes } = useFormats(tenant);
  if (bases.length === 0) return null;
  return (
    <Stack gap="xs" component="section">
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        {text && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {bases.map((kb) => (
          <CardLink key={kb.id} to="/t/$tenant/knowledge/$kb" params={{ tenant, kb: kb.id }}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600} truncate>
                {kb.name}
              </Text>
              {kb.scope !== 'global' && kb.scope !== 'personal' && (
                <Badge variant="light" color="gray" style={{ flexShrink: 0 }}>
                  {t.knowledge.scopes[kb.scope]}
                </Badge>
              )}
            </Group>
            {kb.description && (
              <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                {kb.description}
              </Text>
            )}
            <Text size="sm" mt="xs">
              {t.knowledge.documents(kb.total_documents ?? 0)} · {t.knowledge.chunks(kb.total_chunks ?? 0)} ·{' '}
              {bytes(kb.total_size_bytes ?? 0)}
            </Text>
          </CardLink>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
