import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import type { KindName } from '../catalogue';
import { choicesOf } from '../queries';
import { useSetting } from '../setting';
import type { EditorProps, FieldOf } from './props';
import { common } from './simple';

type Named = { id: string; name: string; active: boolean };

function useChoices(kind: KindName) {
  const t = useTexts();
  const { tenant } = useSetting();
  const known = useQuery(choicesOf(tenant, kind));
  const named = (known.data ?? []) as unknown as Named[];
  const data = named
    .map(({ id, name, active }) => ({ value: id, label: active ? name : `${name} (${t.business.inactive})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const nothing = known.isPending ? t.common.loading : t.business.nothingFound;
  return { data, nothingFoundMessage: nothing };
}

export function ReferenceEditor(props: EditorProps<FieldOf<'reference'>>) {
  const choices = useChoices(props.field.kind);
  return (
    <Select
      {...common(props)}
      {...choices}
      searchable
      allowDeselect={false}
      limit={100}
      value={typeof props.value === 'string' ? props.value : null}
      onChange={props.onChange}
    />
  );
}

export function ReferencesEditor(props: EditorProps<FieldOf<'references'>>) {
  const t = useTexts();
  const choices = useChoices(props.field.kind);
  const chosen = Array.isArray(props.value) ? (props.value as string[]) : [];
  return (
    <MultiSelect
      {...common(props)}
      {...choices}
      searchable
      hidePickedOptions
      limit={100}
      maxValues={props.field.most}
      placeholder={chosen.length === 0 ? t.business.choose : undefined}
      value={chosen}
      onChange={props.onChange}
    />
  );
}
