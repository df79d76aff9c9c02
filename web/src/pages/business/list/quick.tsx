import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failed } from '../../../parts/notify';
import { changeItem, type ItemOf, type KindName, type PatchOf } from '../catalogue';
import type { Kind } from '../kinds/types';
import { kindKey } from '../queries';
import { useSetting } from '../setting';
import { nameOf } from './match';

type Props = { kind: Kind; item: ItemOf<KindName>; field: string; label: string };

/** What changes every day, such as whether a dish can still be had, without opening it. */
export function QuickSwitch({ kind, item, field, label }: Props) {
  const { tenant } = useSetting();
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: (on: boolean) => changeItem(kind.name, item.id, { [field]: on } as PatchOf<KindName>),
    onSettled: () => queries.invalidateQueries({ queryKey: kindKey(tenant, kind.name) }),
    onError: failed,
  });
  const now = (item as unknown as Record<string, unknown>)[field] === true;
  return (
    <Switch
      aria-label={`${label}: ${nameOf(item, kind)}`}
      checked={changing.isPending ? changing.variables : now}
      disabled={changing.isPending}
      onChange={(event) => changing.mutate(event.currentTarget.checked)}
    />
  );
}
