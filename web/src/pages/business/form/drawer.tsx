import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { GuardedDrawer } from '../../../parts/guarded-dialog';
import { ListSkeleton } from '../../../parts/skeletons';
import { kindTexts } from '../kinds';
import type { Kind } from '../kinds/types';
import { nameOf } from '../list/match';
import { choicesOf, itemOf } from '../queries';
import { useSetting } from '../setting';
import { ItemForm } from './item';
import { linkedTo } from './linked';

export const NEW = 'new';

type Props = { kind: Kind; id: string | undefined; close: () => void; show: (id: string) => void };

/** A thing beside the list that it is in. */
export function ItemDrawer({ kind, id, close, show }: Props) {
  const t = useTexts();
  // What closes stays in sight until it is gone.
  const [last, setLast] = useState(id);
  useEffect(() => {
    if (id) setLast(id);
  }, [id]);
  const shown = id ?? last;
  const words = kindTexts(t, kind.name);
  const { tenant } = useSetting();
  const open = useQuery({
    ...itemOf(tenant, kind.name, shown ?? NEW),
    enabled: id !== undefined && id !== NEW,
  });
  const name = open.data ? nameOf(open.data, kind) : words.title;
  return (
    <GuardedDrawer
      opened={id !== undefined}
      onClose={close}
      size={620}
      title={
        <Text span fw={650} size="lg">
          {shown === NEW ? words.create : name}
        </Text>
      }
      transitionProps={{ duration: 120 }}
    >
      {shown && <Body key={shown} kind={kind} id={shown} close={close} show={show} />}
    </GuardedDrawer>
  );
}

function Body({ kind, id, close, show }: Omit<Props, 'id'> & { id: string }) {
  const { tenant } = useSetting();
  const item = useQuery({ ...itemOf(tenant, kind.name, id), enabled: id !== NEW });
  const others = useQuery({
    ...choicesOf(tenant, kind.linked?.kind ?? kind.name),
    enabled: kind.linked !== undefined,
  });
  const failure = [item, others].find((query) => query.isError && !query.data);
  if (failure) return <FailureNotice error={failure.error} again={failure.refetch} />;
  if ((id !== NEW && !item.data) || (kind.linked && !others.data)) return <ListSkeleton />;
  const linked = kind.linked && others.data ? linkedTo(others.data, kind.linked, id) : [];
  return <ItemForm kind={kind} item={item.data} linked={linked} close={close} show={show} />;
}
