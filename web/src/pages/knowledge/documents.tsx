import { Badge, Button, Checkbox, Group, Stack, Table, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useDates, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { done, failed } from '../../parts/notify';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { documentsKey } from './queries';
import { FileUploads } from './uploads';

type Document = Schemas['Document'];

const COLOURS = { pending: 'gray', processing: 'ochre', completed: 'teal', failed: 'red' } as const;
const nameOf = (document: Document) => document.title ?? document.original_filename ?? document.id;
const isMoving = (document: Document) => document.status === 'pending' || document.status === 'processing';

export function DocumentList({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const dates = useDates();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [chosen, setChosen] = useState<string[]>([]);
  const list = useInfiniteQuery({
    queryKey: [...documentsKey(tenant, kb), q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents', {
          params: { path: { kb_id: kb }, query: { limit: 50, cursor: pageParam, ...(q ? { q } : {}) } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // What is being read changes by itself.
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.data.some(isMoving)) ? 1_000 : false,
  });
  const documents = list.data?.pages.flatMap((page) => page.data) ?? [];
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });

  const deleting = useMutation({
    mutationFn: (ids: string[]) =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/documents/delete', {
          params: { path: { kb_id: kb } },
          body: { document_ids: ids },
        }),
      ),
    onSuccess: async (receipt) => {
      setChosen([]);
      const { rows } = receipt.removed;
      done(t.knowledge.receipt(rows.documents ?? 0, rows.chunks ?? 0));
      await again();
    },
    onError: failed,
  });
  const reading = useMutation({
    mutationFn: (id: string) =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/reprocess', {
          params: { path: { kb_id: kb, document_id: id } },
        }),
      ),
    onSuccess: again,
    onError: failed,
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t.knowledge.deleteTitle(chosen.length),
      children: <Text size="sm">{t.knowledge.deleteText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => deleting.mutate(chosen),
    });

  return (
    <Stack>
      <FileUploads tenant={tenant} kb={kb} />
      <PageAddress kb={kb} added={again} />
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton />}
      {list.isSuccess && documents.length === 0 && !q && (
        <EmptyState title={t.knowledge.noDocuments} text={t.knowledge.noDocumentsText} />
      )}
      {(documents.length > 0 || q) && (
        <Group justify="space-between">
          <TextInput
            aria-label={t.common.search}
            placeholder={t.common.search}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {chosen.length > 0 && (
            <Group gap="xs">
              <Text size="sm">{t.knowledge.selected(chosen.length)}</Text>
              <Button size="xs" color="red" variant="light" onClick={ask} loading={deleting.isPending}>
                {t.common.delete}
              </Button>
            </Group>
          )}
        </Group>
      )}
      {documents.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table verticalSpacing="xs" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={36} aria-label={t.common.delete} />
                <Table.Th>{t.knowledge.columns.name}</Table.Th>
                <Table.Th>{t.knowledge.columns.status}</Table.Th>
                <Table.Th ta="right">{t.knowledge.columns.chunks}</Table.Th>
                <Table.Th>{t.knowledge.columns.added}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {documents.map((document) => (
                <Table.Tr key={document.id}>
                  <Table.Td>
                    <Checkbox
                      aria-label={nameOf(document)}
                      checked={chosen.includes(document.id)}
                      onChange={(event) => {
                        const { checked } = event.currentTarget;
                        setChosen((all) =>
                          checked ? [...all, document.id] : all.filter((id) => id !== document.id),
                        );
                      }}
                    />
                  </Table.Td>
                  <Table.Td maw={320}>
                    <TextLink
                      to="/t/$tenant/knowledge/$kb/documents/$document"
                      params={{ tenant, kb, document: document.id }}
                      size="sm"
                    >
                      {nameOf(document)}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <Tooltip
                        label={document.error_message ?? ''}
                        disabled={!document.error_message}
                        multiline
                        maw={360}
                      >
                        <Badge color={COLOURS[document.status]} variant="light">
                          {t.knowledge.statuses[document.status]}
                        </Badge>
                      </Tooltip>
                      {document.status === 'failed' && (
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          onClick={() => reading.mutate(document.id)}
                        >
                          {t.common.retry}
                        </Button>
                      )}
                    </Group>
                    {document.status === 'failed' && (
                      <Text size="xs" c="dimmed" maw={320}>
                        {document.error_message}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">{document.chunks_count}</Table.Td>
                  <Table.Td>{dates(document.created_at)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}

function PageAddress({ kb, added }: { kb: string; added: () => void }) {
  const t = useTexts();
  const [url, setUrl] = useState('');
  const adding = useMutation({
    mutationFn: () =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/documents/url', {
          params: { path: { kb_id: kb } },
          body: { url: url.trim() },
        }),
      ),
    onSuccess: () => {
      setUrl('');
      added();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t.knowledge.url}
          placeholder="https://"
          type="url"
          required
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {t.knowledge.addUrl}
        </Button>
      </Group>
      {adding.isError && <FailureNotice error={adding.error} />}
    </form>
  );
}
