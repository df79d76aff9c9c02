import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../../api/client';
import { saveFile } from '../../../api/download';
import { replaceFile } from '../../../api/upload';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { ask } from '../../settings/parts/dialog';
import type { Document } from '../queries';
import { nameOf } from './wanted';

/** A window of the system in which one file is chosen. It stands in no page. */
export function chooseFile(): Promise<File | undefined> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.onchange = () => resolve(input.files?.[0]);
    input.oncancel = () => resolve(undefined);
    input.click();
  });
}

/** What can be done with one document. */
export function useDocumentActs(tenant: string, kb: string, edit: (document: Document) => void) {
  const t = useTexts();
  const words = t.documents;
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
  const path = ({ id }: Document) => ({ kb_id: kb, document_id: id });
  const of = (document: Document) => ({ params: { path: path(document) } });
  const DOCUMENT = '/api/v1/knowledge-bases/{kb_id}/documents/{document_id}';
  const again = useMutation({
    mutationFn: (document: Document) => told(api.POST(`${DOCUMENT}/reprocess`, of(document))),
    onError: failed,
    onSettled,
  });
  const stop = useMutation({
    mutationFn: (document: Document) => told(api.POST(`${DOCUMENT}/cancel`, of(document))),
    onSuccess: () => done(words.stopped),
    onError: failed,
    onSettled,
  });
  const hide = useMutation({
    mutationFn: (document: Document) =>
      told(api.PATCH(DOCUMENT, { ...of(document), body: { enabled: !document.enabled } })),
    onError: failed,
    onSettled,
  });
  const replace = useMutation({
    mutationFn: async (document: Document) => {
      const file = await chooseFile();
      if (!file) return;
      await replaceFile(kb, document.id, file);
      done(words.replaced(file.name));
    },
    onError: failed,
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (document: Document) => told(api.DELETE(DOCUMENT, of(document))),
    onSuccess: ({ removed: { rows } }) => done(t.knowledge.receipt(rows.documents ?? 0, rows.chunks ?? 0)),
    onError: failed,
    onSettled,
  });
  return {
    edit,
    again: again.mutate,
    stop: stop.mutate,
    hide: hide.mutate,
    replace: replace.mutate,
    download: (document: Document) => {
      const place = `/api/v1/knowledge-bases/${kb}/documents/${document.id}/download`;
      saveFile(place, nameOf(document)).catch(failed);
    },
    remove: (document: Document) =>
      ask({
        title: t.knowledge.deleteTitle(1),
        text: `«${nameOf(document)}». ${t.knowledge.deleteText}`,
        confirm: t.common.delete,
        danger: true,
        act: () => remove.mutate(document),
      }),
  };
}

export type DocumentActs = ReturnType<typeof useDocumentActs>;
