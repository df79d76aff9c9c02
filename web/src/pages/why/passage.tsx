import { Button, Divider, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { replaceFile } from '../../api/upload';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { ButtonLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { ListSkeleton } from '../../parts/skeletons';
import { TextDialog } from '../knowledge/documents/text';
import { CorrectingFaq } from './faq';
import { documentOf } from './queries';

/** A passage of a document: a text that was typed is edited here, a file is replaced or corrected. */
export function PassageEditor({
  tenant,
  citation,
  question,
  close,
}: {
  tenant: string;
  citation: Schemas['Citation'];
  question: string;
  close: () => void;
}) {
  const t = useTexts();
  const { knowledge_base_id: kb, document_id: id } = citation;
  const found = useQuery(documentOf(tenant, kb, id));
  const document = found.data;
  if (document?.source === 'manual')
    return <TextDialog tenant={tenant} kb={kb} opened={document} close={close} />;
  return (
    <GuardedDialog opened onClose={close} title={t.why.editOf(citation.title ?? t.why.kinds.passage)}>
      {found.isError && !document && <FailureNotice error={found.error} again={found.refetch} />}
      {found.isPending && <ListSkeleton rows={2} />}
      {document && (
        <Stack>
          <Text size="sm">{document.source === 'file' ? t.why.fileIntro : t.why.pageIntro}</Text>
          <Group gap="xs">
            <ButtonLink
              to="/t/$tenant/knowledge/$kb/documents/$document"
              params={{ tenant, kb, document: id }}
              search={{ chunk: citation.chunk_id }}
              variant="default"
              size="xs"
            >
              {t.why.seePassage}
            </ButtonLink>
            {document.source === 'file' && <FileReplacement tenant={tenant} kb={kb} id={id} />}
          </Group>
          <Divider label={t.why.addFaq} labelPosition="left" />
          <CorrectingFaq tenant={tenant} question={question} saved={close} />
        </Stack>
      )}
    </GuardedDialog>
  );
}

function FileReplacement({ tenant, kb, id }: { tenant: string; kb: string; id: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const replacing = useMutation({
    mutationFn: (file: File) => replaceFile(kb, id, file),
    onSuccess: async (_, file) => {
      done(t.why.fileReplaced(file.name));
      await queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
    },
  });
  return (
    <>
      <FileButton onChange={(file) => file && replacing.mutate(file)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" loading={replacing.isPending}>
            {t.why.replaceFile}
          </Button>
        )}
      </FileButton>
      {replacing.isError && <FailureNotice error={replacing.error} />}
    </>
  );
}
