import { NativeSelect, Select } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { ListSearch } from '../../../routes/business';
import classes from '../business.module.css';
import type { ItemOf, KindName } from '../catalogue';
import { kindTexts } from '../kinds';
import type { Kind, Show } from '../kinds/types';
import { groupOf } from './match';

type Props = {
  kind: Kind;
  all: ItemOf<KindName>[];
  search: ListSearch;
  set: (part: ListSearch) => void;
  show: Show;
};

/** Narrows a list: to a category or a branch, and to what is active. */
export function ListFilters({ kind, all, search, set, show }: Props) {
  const t = useTexts();
  const { group } = kind;
  const label = group && kindTexts(t, kind.name).labels[group.field];
  const values = [...new Set(all.flatMap((item) => groupOf(item, kind) ?? []))];
  if (search.group && !values.includes(search.group)) values.push(search.group);
  const data = values
    .map((value) => ({ value, label: group?.text?.(value, show) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
  return (
    <>
      {group && data.length > 1 && (
        <Select
          aria-label={label}
          placeholder={label}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.business.clear }}
          nothingFoundMessage={t.business.nothingFound}
          limit={100}
          className={classes.filter}
          data={data}
          value={search.group ?? null}
          onChange={(value) => set({ group: value ?? undefined })}
        />
      )}
      <NativeSelect
        aria-label={t.business.state}
        className={classes.filter}
        data={[
          { value: '', label: t.business.anyState },
          { value: 'yes', label: t.business.actives },
          { value: 'no', label: t.business.inactives },
        ]}
        value={search.active ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          set({ active: value === 'yes' || value === 'no' ? value : undefined });
        }}
      />
    </>
  );
}
