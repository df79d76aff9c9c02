import { Badge, Button, Group, Modal, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api, once, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { CardLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { basesOf } from './queries';

export function KnowledgePage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const bases = useQuery(basesOf(tenant));
  const [making, { open, close }] = useDisclosure();
  const create = <Button onClick={open}>{t.knowledge.create}</Button>;
  const empty = bases.data?.data.length === 0;
  return (
    <Page title={t.knowledge.title} intro={t.knowledge.intro} actions={empty ? undefined : create}>
      {bases.isError && <FailureNotice error={bases.error} again={bases.refetch} />}
      {bases.isPending && <ListSkeleton />}
      {empty && <EmptyState title={t.knowledge.emptyTitle} text={t.knowledge.emptyText} action={create} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {bases.data?.data.map((kb) => (
          <CardLink key={kb.id} to="/t/$tenant/knowledge/$kb" params={{ tenant, kb: kb.id }}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600} truncate>
                {kb.name}
              </Text>
              <Badge variant="light" color="gray">
                {t.knowledge.scopes[kb.scope]}
              </Badge>
            </Group>
            {kb.description && (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {kb.description}
              </Text>
            )}
            <Text size="sm" mt="xs">
              {t.knowledge.documents(kb.total_documents ?? 0)} · {t.knowledge.chunks(kb.total_chunks ?? 0)}
            </Text>
          </CardLink>
        ))}
      </SimpleGrid>
      <Modal opened={making} onClose={close} title={t.knowledge.create}>
        <NewBaseForm tenant={tenant} />
      </Modal>
    </Page>
  );
}

function NewBaseForm({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', description: '' } });
  const making = useMutation({
    mutationFn: ({ name, description }: typeof form.values) => {
      const body = { name, description: description.trim() || null, scope: 'global' as const };
      return told(api.POST('/api/v1/knowledge-bases', { body, params: { header: once() } }));
    },
    onSuccess: async (kb) => {
      await queries.invalidateQueries({ queryKey: [tenant, 'bases'] });
      await navigate({ to: '/t/$tenant/knowledge/$kb', params: { tenant, kb: kb.id } });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t.knowledge.description}
          maxLength={2000}
          autosize
          {...form.getInputProps('description')}
        />
        <Button type="submit" loading={making.isPending}>
          {t.knowledge.create}
        </Button>
      </Stack>
    </form>
  );
}
