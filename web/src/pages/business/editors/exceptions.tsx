import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { type Problems, problemAt } from '../form/problems';
import { useSetting } from '../setting';
import { type Exception, todayIn, writeDays, writeSpans } from './clock';
import { RowsEditor } from './rows';
import { SpansEditor } from './spans';

const MOST = 400;

type Props = { value: Exception[]; onChange: (value: Exception[]) => void; problems: Problems; path: string };

/** Days with other hours than the week's, such as holidays. Those that are over stay out of sight. */
export function ExceptionsEditor({ value, onChange, problems, path }: Props) {
  const t = useTexts();
  const { timeZone } = useSetting();
  const today = todayIn(timeZone);
  const [all, setAll] = useState(false);
  const isOver = (one: Exception) => one.from !== '' && (one.to ?? one.from) < today;
  const over = value.filter(isOver).length;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.business.exceptions}
      </Text>
      <Text size="xs" c="dimmed">
        {t.business.exceptionsHelp}
      </Text>
      {over > 0 && !all && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setAll(true)}
          style={{ alignSelf: 'start' }}
        >
          {t.business.showPast(over)}
        </Button>
      )}
      <RowsEditor
        value={value}
        onChange={onChange}
        blank={() => ({ from: today, label: '', intervals: [] })}
        add={t.business.addException}
        most={MOST}
      >
        {(row, change, { remove, position }) =>
          isOver(row) && !all ? null : (
            <ExceptionRow
              value={row}
              onChange={change}
              remove={remove}
              problems={problems}
              path={`${path}[${position}]`}
            />
          )
        }
      </RowsEditor>
    </Stack>
  );
}

function ExceptionRow({
  value,
  onChange,
  remove,
  problems,
  path,
}: {
  value: Exception;
  onChange: (value: Exception) => void;
  remove: React.ReactNode;
  problems: Problems;
  path: string;
}) {
  const t = useTexts();
  const { locale } = useSetting();
  // What was just added has no name yet.
  const [open, setOpen] = useState(value.label === '');
  if (!open && problemAt(problems, path) === undefined)
    return (
      <Paper withBorder px="sm" py={6}>
        <Group wrap="nowrap" justify="space-between" gap="xs">
          <div>
            <Text size="sm" fw={600}>
              {value.label}
            </Text>
            <Text size="xs" c="dimmed">
              {[writeDays(value, locale), writeSpans(value.intervals) || t.business.closed].join(' · ')}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t.business.changeOf(value.label)}
              onClick={() => setOpen(true)}
            >
              {t.business.change}
            </Button>
            {remove}
          </Group>
        </Group>
      </Paper>
    );
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            label={t.business.exceptionLabel}
            placeholder={t.business.exceptionExample}
            required
            maxLength={100}
            error={problemAt(problems, `${path}.label`)}
            value={value.label}
            onChange={(event) => onChange({ ...value, label: event.currentTarget.value })}
            style={{ flex: 1 }}
          />
          {remove}
        </Group>
        <Group gap="xs" align="flex-start">
          <TextInput
            type="date"
            label={t.business.firstDay}
            required
            w={150}
            error={problemAt(problems, `${path}.from`)}
            value={value.from}
            onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={t.business.lastDay}
            min={value.from}
            w={150}
            error={problemAt(problems, `${path}.to`)}
            value={value.to ?? ''}
            onChange={(event) => onChange({ ...value, to: event.currentTarget.value || undefined })}
          />
        </Group>
        <SpansEditor
          value={value.intervals}
          onChange={(intervals) => onChange({ ...value, intervals })}
          of={value.label || t.business.exception}
          problems={problems}
          path={`${path}.intervals`}
        />
      </Stack>
    </Paper>
  );
}
