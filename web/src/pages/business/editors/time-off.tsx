import { Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { type Problems, problemAt } from '../form/problems';
import { useSetting } from '../setting';
import { daysLater, todayIn } from './clock';
import type { EditorProps, FieldOf } from './props';
import { RowsEditor } from './rows';

type TimeOff = Schemas['TimeOff'];

const MOST = 200;
const MIDNIGHT = 'T00:00:00';
const isWhole = ({ from, to }: TimeOff) => from.endsWith(MIDNIGHT) && to.endsWith(MIDNIGHT);
const dateOf = (moment: string) => moment.slice(0, 10);
const withSeconds = (moment: string) => (moment.length === 16 ? `${moment}:00` : moment);

/** When somebody is away: whole days, or from one time to another. */
export function TimeOffEditor({ field, help, value, onChange, problems }: EditorProps<FieldOf<'timeOff'>>) {
  const t = useTexts();
  const { timeZone } = useSetting();
  const blank = (): TimeOff => {
    const today = todayIn(timeZone);
    return { from: today + MIDNIGHT, to: daysLater(today, 1) + MIDNIGHT };
  };
  return (
    <Stack gap="xs">
      {help && (
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      )}
      <RowsEditor
        value={Array.isArray(value) ? (value as TimeOff[]) : []}
        onChange={onChange}
        blank={blank}
        add={t.business.addTimeOff}
        most={MOST}
      >
        {(row, change, { remove, position }) => (
          <TimeOffRow
            value={row}
            onChange={change}
            remove={remove}
            problems={problems}
            path={`${field.name}[${position}]`}
          />
        )}
      </RowsEditor>
    </Stack>
  );
}

function TimeOffRow({
  value,
  onChange,
  remove,
  problems,
  path,
}: {
  value: TimeOff;
  onChange: (value: TimeOff) => void;
  remove: ReactNode;
  problems: Problems;
  path: string;
}) {
  const t = useTexts();
  const [whole, setWhole] = useState(isWhole(value));
  const problem = problemAt(problems, path);
  // The end of whole days is the midnight after the last of them.
  const lastDay = daysLater(dateOf(value.to), -1);
  const toWhole = (checked: boolean) => {
    setWhole(checked);
    const first = dateOf(value.from);
    if (checked)
      onChange({ ...value, from: first + MIDNIGHT, to: daysLater(dateOf(value.to), 1) + MIDNIGHT });
    else onChange({ ...value, from: `${first}T09:00:00`, to: `${lastDay}T18:00:00` });
  };
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Checkbox
            label={t.business.wholeDays}
            checked={whole}
            onChange={(event) => toWhole(event.currentTarget.checked)}
          />
          {remove}
        </Group>
        <Group gap="xs" align="flex-start">
          <TextInput
            key={`from-${whole}`}
            type={whole ? 'date' : 'datetime-local'}
            label={whole ? t.business.firstDay : t.business.from}
            required
            value={whole ? dateOf(value.from) : value.from.slice(0, 16)}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              if (typed === '') return;
              if (!whole) return onChange({ ...value, from: withSeconds(typed) });
              const to = typed > lastDay ? daysLater(typed, 1) + MIDNIGHT : value.to;
              onChange({ ...value, from: typed + MIDNIGHT, to });
            }}
          />
          <TextInput
            key={`to-${whole}`}
            type={whole ? 'date' : 'datetime-local'}
            label={whole ? t.business.lastDay : t.business.to}
            required
            value={whole ? lastDay : value.to.slice(0, 16)}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              if (typed === '') return;
              onChange({ ...value, to: whole ? daysLater(typed, 1) + MIDNIGHT : withSeconds(typed) });
            }}
          />
        </Group>
        <TextInput
          label={t.business.reason}
          description={t.business.reasonHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={300}
          value={value.reason ?? ''}
          onChange={(event) => onChange({ ...value, reason: event.currentTarget.value || null })}
        />
        {problem && (
          <Text size="xs" c="red" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
