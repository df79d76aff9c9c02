import '@mantine/dates/styles.css';
import 'dayjs/locale/es';
import { Button, Group, SegmentedControl, Select, Switch } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useLanguage, useTexts } from '../../i18n';
import type { AgendaSearch, AgendaView } from '../../routes/agenda';
import { addDays } from './clock';
import type { Formats } from './formats';
import type { Premises } from './queries';
import { daysOf } from './shown';

type Props = {
  search: AgendaSearch;
  view: AgendaView;
  date: string;
  today: string;
  narrow: boolean;
  premises: Premises;
  formats: Formats;
  go: (changed: Partial<AgendaSearch>) => void;
};

/** When, where, who and how: all of it is in the address. */
export function AgendaToolbar({ search, view, date, today, narrow, premises, formats, go }: Props) {
  const t = useTexts();
  const locale = useLanguage();
  const days = daysOf(view, date);
  const length = days.first === days.last ? 1 : 7;
  const label =
    length === 1
      ? (narrow ? formats.shortDay : formats.longDay)(date)
      : `${formats.shortDay(days.first)} – ${formats.shortDay(days.last)}`;
  const views: AgendaView[] = narrow ? ['day', 'list', 'resources'] : ['day', 'week', 'resources', 'list'];
  const seated = premises.tables.length > premises.staff.length;
  const people = premises.staff.filter(
    (one) => !search.branch || (one.branches ?? []).includes(search.branch),
  );
  const named = (list: { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Button.Group>
            <Button
              variant="default"
              px="sm"
              aria-label={t.agenda.previous}
              onClick={() => go({ date: addDays(date, -length) })}
            >
              ‹
            </Button>
            <Button variant="default" onClick={() => go({ date: undefined })} disabled={date === today}>
              {t.agenda.today}
            </Button>
            <Button
              variant="default"
              px="sm"
              aria-label={t.agenda.next}
              onClick={() => go({ date: addDays(date, length) })}
            >
              ›
            </Button>
          </Button.Group>
          <DatePickerInput
            key={label}
            aria-label={`${t.agenda.date}: ${label}`}
            locale={locale}
            value={date}
            onChange={(value) => value && go({ date: value })}
            valueFormatter={() => label}
            style={{ minWidth: 0 }}
          />
        </Group>
        <SegmentedControl
          fullWidth={narrow}
          w={narrow ? '100%' : undefined}
          aria-label={t.agenda.view}
          value={view}
          onChange={(value) => go({ view: value as AgendaView })}
          data={views.map((value) => ({
            value,
            label: value === 'resources' && seated ? t.agenda.byTable : t.agenda.views[value],
          }))}
        />
      </Group>
      <Group gap="xs">
        {premises.branches.length > 1 && (
          <Select
            aria-label={t.agenda.branch}
            placeholder={t.agenda.allBranches}
            data={named(premises.branches)}
            value={search.branch ?? null}
            onChange={(value) => go({ branch: value ?? undefined, staff: undefined })}
            clearable
            searchable
            w={narrow ? 'calc(50% - 5px)' : 220}
          />
        )}
        {premises.staff.length > 0 && (
          <Select
            aria-label={t.agenda.person}
            placeholder={t.agenda.everybody}
            data={named(people)}
            value={search.staff ?? null}
            onChange={(value) => go({ staff: value ?? undefined })}
            clearable
            searchable
            w={narrow ? 'calc(50% - 5px)' : 240}
          />
        )}
        <Switch
          label={t.agenda.withCancelled}
          checked={search.all ?? false}
          onChange={(event) => go({ all: event.currentTarget.checked || undefined })}
        />
      </Group>
    </>
  );
}
