import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { saveFile } from '../../../api/download';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import type { DocumentSearch } from '../../../routes/knowledge';
import { baseOf, type Document, statsOf } from '../queries';
import { useBaseRights } from '../rights';
import { useDocumentActs } from './acts';
import { useChoice } from './choice';
import { ChosenBar } from './chosen';
import { BaseCounters } from './counters';
import { DocumentFilters } from './filters';
import { PageAddress } from './page-address';
import { useDocumentPages } from './paging';
import { DocumentRows } from './rows';
import { TextDialog } from './text';
import { FileUploads } from './uploads';
import { isFiltered, wantedOf } from './wanted';

type Props = {
  tenant: string;
  kb: string;
  search: DocumentSearch;
  /** Whether the beginning of each text is shown, and texts are typed elsewhere. */
  previews?: boolean;
  /** What to do once files were read. */
  then?: ReactNode;
};

/** The documents of a knowledge base, what they are made of, and how far they are. */
export function DocumentList({ tenant, kb, search, previews = false, then }: Props) {
  const t = useTexts();
  const words = t.documents;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { writes } = useBaseRights(tenant, useQuery(baseOf(tenant, kb)).data);
  const [opened, setOpened] = useState<Document | 'new'>();
  const acts = useDocumentActs(tenant, kb, setOpened);
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
  const change = (changed: DocumentSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined),
        ) as never,
      replace: true,
      resetScroll: false,
      // What is typed or on its way on this page stays.
      ignoreBlocker: true,
    });
  const exporting = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ format: 'csv', ...wantedOf(search) });
      return saveFile(`/api/v1/knowledge-bases/${kb}/documents/export?${query}`, 'documentos.csv');
    },
    onError: failed,
  });
  const wanted = JSON.stringify(search);
  const held = useQuery(statsOf(tenant, kb)).data?.documents ?? 0;
  const filters = held > 0 || isFiltered(search);
  return (
    <Stack data-around>
      {writes && (
        <>
          <FileUploads tenant={tenant} kb={kb} then={then} />
          <Group align="flex-end" gap="xs">
            <PageAddress kb={kb} added={again} />
            {!previews && (
              <Button variant="default" onClick={() => setOpened('new')}>
                {words.addText}
              </Button>
            )}
          </Group>
        </>
      )}
      <BaseCounters tenant={tenant} kb={kb} show={change} />
      {filters && (
        <Group justify="space-between" gap="xs">
          <DocumentFilters search={search} change={change} />
          <Button variant="default" onClick={() => exporting.mutate()} loading={exporting.isPending}>
            {words.export}
          </Button>
        </Group>
      )}
      <Listed
        key={wanted}
        tenant={tenant}
        kb={kb}
        search={search}
        previews={previews}
        writes={writes}
        acts={acts}
        change={change}
      />
      <TextDialog tenant={tenant} kb={kb} opened={opened} close={() => setOpened(undefined)} />
    </Stack>
  );
}

/** Those that the address names. Other ones begin anew, from the first. */
function Listed({
  tenant,
  kb,
  search,
  previews,
  writes,
  acts,
  change,
}: Required<Omit<Props, 'then'>> & {
  writes: boolean;
  acts: ReturnType<typeof useDocumentActs>;
  change: (changed: DocumentSearch) => void;
}) {
  const t = useTexts();
  const words = t.documents;
  const pages = useDocumentPages(tenant, kb, search);
  const choice = useChoice(kb, search);
  const filtered = isFiltered(search);
  if (pages.isEmpty && !filtered)
    return <EmptyState title={t.knowledge.noDocuments} text={t.knowledge.noDocumentsText} />;
  return (
    <>
      {pages.failed && <FailureNotice error={pages.failed.error} again={pages.failed.refetch} />}
      {pages.isPending && <ListSkeleton />}
      {pages.isEmpty && (
        <EmptyState
          title={words.nothingFound}
          text={words.nothingFoundText}
          action={
            <Button
              variant="default"
              onClick={() => change({ q: undefined, status: undefined, file: undefined })}
            >
              {words.clearFilters}
            </Button>
          }
        />
      )}
      <ChosenBar tenant={tenant} kb={kb} choice={choice} />
      {!pages.isPending && !pages.isEmpty && (
        <DocumentRows
          tenant={tenant}
          kb={kb}
          pages={pages}
          writes={writes}
          previews={previews}
          choice={choice}
          search={search}
          change={change}
          acts={acts}
        />
      )}
    </>
  );
}
