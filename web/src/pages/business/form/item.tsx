import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { useOnce } from '../../settings/once';
import { useRights } from '../../settings/rights';
import classes from '../business.module.css';
import { changeItem, createItem, type DataOf, deleteItem, type ItemOf, type KindName } from '../catalogue';
import { kindTexts } from '../kinds';
import type { Kind } from '../kinds/types';
import { kindKey } from '../queries';
import { useSetting } from '../setting';
import { WarningList } from '../warnings';
import { useAttention } from './attention';
import { SectionFields } from './fields';
import { saveLinked } from './linked';
import { problemsOf } from './problems';
import { cleaned, patchBetween, same, type Values } from './values';

type Item = ItemOf<KindName>;

/** What can be changed of a thing. */
function dataOf({ id, warnings, created_at, updated_at, ...data }: Item): Values {
  return data;
}

type Props = {
  kind: Kind;
  /** Absent for what is new. */
  item?: Item;
  linked: string[];
  close: () => void;
  /** Shows a thing that was just made. */
  show: (id: string) => void;
};

/** One thing of a catalogue, new or not. */
export function ItemForm({ kind, item, linked, close, show }: Props) {
  const t = useTexts();
  const { tenant, currency } = useSetting();
  const queries = useQueryClient();
  const key = useOnce();
  const words = kindTexts(t, kind.name);
  const own = (values: Values) => (kind.linked ? { ...values, [kind.linked.name]: linked } : values);
  const [saved, setSaved] = useState(() => own(item ? dataOf(item) : (kind.blank(currency) as Values)));
  const [warnings, setWarnings] = useState(item?.warnings ?? []);
  const [values, setValues] = useState(saved);
  const dirty = !same(cleaned(values, kind.sections), cleaned(saved, kind.sections));
  const letGo = useGuard(dirty);
  const writes = useRights(tenant).may('business:write');

  const saving = useMutation({
    mutationFn: async () => {
      const clean = cleaned(values, kind.sections);
      const { [kind.linked?.name ?? '']: chosen, ...body } = clean;
      const { [kind.linked?.name ?? '']: before, ...old } = saved;
      const patch = patchBetween(old, body);
      let made: Item;
      if (!item) made = await createItem(kind.name, body as DataOf<KindName>, key.header(body));
      else made = await changeItem(kind.name, item.id, patch);
      if (kind.linked) await saveLinked(kind.linked, made.id, before as string[], chosen as string[]);
      return { made, chosen };
    },
    onSuccess: async ({ made, chosen }) => {
      done(t.common.saved);
      const data = { ...dataOf(made), ...(kind.linked ? { [kind.linked.name]: chosen } : {}) };
      setSaved(data);
      setValues(data);
      const told = made.warnings ?? [];
      setWarnings(told);
      letGo();
      if (told.length === 0) close();
      else if (!item) show(made.id);
      await queries.invalidateQueries({ queryKey: kindKey(tenant, kind.name), refetchType: 'active' });
      if (kind.linked) await queries.invalidateQueries({ queryKey: kindKey(tenant, kind.linked.kind) });
    },
  });
  const deleting = useMutation({
    mutationFn: (id: string) => deleteItem(kind.name, id),
    onSuccess: async () => {
      done(t.business.deleted(String(saved[kind.title] ?? '')));
      letGo();
      close();
      // Other things may have mentioned it.
      await queries.invalidateQueries({ queryKey: [tenant, 'business'] });
    },
  });
  const ask = (id: string) =>
    modals.openConfirmModal({
      title: t.business.deleteTitle(String(saved[kind.title] ?? '')),
      children: <Text size="sm">{words.deleteText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => deleting.mutate(id),
    });
  const problems = problemsOf(saving.error, kind.title);
  const failure = deleting.error ?? saving.error;
  const form = useRef<HTMLFormElement>(null);
  useAttention(form, failure);

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        deleting.reset();
        saving.mutate();
      }}
    >
      <Stack>
        {failure && <FailureNotice error={failure} />}
        <WarningList warnings={warnings} />
        <Fieldset variant="unstyled" disabled={!writes}>
          <SectionFields
            sections={kind.sections}
            labels={words.labels}
            help={words.help}
            values={values}
            onChange={setValues}
            problems={problems}
            focus={!item}
          />
        </Fieldset>
        {writes && (
          <Group className={classes.foot} justify="space-between">
            <Group gap="xs">
              <Button type="submit" loading={saving.isPending} disabled={item && !dirty}>
                {t.common.save}
              </Button>
              <Button variant="default" onClick={close}>
                {t.common.cancel}
              </Button>
            </Group>
            {item && (
              <Button variant="light" color="red" loading={deleting.isPending} onClick={() => ask(item.id)}>
                {t.common.delete}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
