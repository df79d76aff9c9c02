import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { api, told } from '../../../api/client';
import { failed } from '../../../parts/notify';
import type { DocumentSearch } from '../../../routes/knowledge';
import { wantedOf } from './wanted';

/** As many ids as one answer holds. */
const IDS = 4_000;

/** The ids of all documents that are listed, those included that nobody scrolled to. */
export async function idsOf(kb: string, search: DocumentSearch): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await told(
      api.GET('/api/v1/knowledge-bases/{kb_id}/documents/ids', {
        params: { path: { kb_id: kb }, query: { ...wantedOf(search), limit: IDS, cursor } },
      }),
    );
    ids.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return ids;
}

/** Which documents are chosen to do something with all of them. */
export function useChoice(kb: string, search: DocumentSearch) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const asking = useMutation({
    mutationFn: () => idsOf(kb, search),
    onSuccess: (ids) => {
      setChosen(new Set(ids));
      setAll(true);
    },
    onError: failed,
  });
  // The rows in sight are not drawn again for it.
  const choose = useCallback((id: string, wanted: boolean) => {
    setAll(false);
    setChosen((before) => {
      const next = new Set(before);
      if (wanted) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  return {
    chosen,
    all,
    asking: asking.isPending,
    chooseAll: () => asking.mutate(),
    clear: () => {
      setChosen(new Set());
      setAll(false);
    },
    choose,
  };
}

export type Choice = ReturnType<typeof useChoice>;
