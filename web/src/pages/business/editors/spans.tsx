import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { type Problems, problemAt } from '../form/problems';
import { endsNextDay, type Interval, isWholeDay, nextInterval } from './clock';
import classes from './editors.module.css';
import { RowsEditor } from './rows';

const MOST = 8;

type Props = {
  value: Interval[];
  onChange: (value: Interval[]) => void;
  /** Whose hours they are, for who cannot see where they stand. */
  of: string;
  problems: Problems;
  path: string;
};

/** The hours of a day, in one stretch or several. */
export function SpansEditor({ value, onChange, of, problems, path }: Props) {
  const t = useTexts();
  return (
    <Stack gap={4}>
      {value.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.business.closed}
        </Text>
      )}
      <RowsEditor
        value={value}
        onChange={onChange}
        blank={nextInterval}
        add={value.length === 0 ? t.business.open : t.business.addSpan}
        most={MOST}
      >
        {(span, change, { remove, position }) => {
          const problem = problemAt(problems, `${path}[${position}]`);
          const note = isWholeDay(span)
            ? t.business.wholeDay
            : endsNextDay(span)
              ? t.business.nextDay
              : undefined;
          return (
            <Stack gap={2}>
              <Group gap={6} wrap="nowrap">
                <TextInput
                  type="time"
                  required
                  className={classes.time}
                  aria-label={t.business.fromOf(of)}
                  error={problem !== undefined}
                  value={span.from}
                  onChange={(event) => change({ ...span, from: event.currentTarget.value })}
                />
                <span aria-hidden="true">–</span>
                <TextInput
                  type="time"
                  required
                  className={classes.time}
                  aria-label={t.business.toOf(of)}
                  error={problem !== undefined}
                  value={span.to === '24:00' ? '00:00' : span.to}
                  onChange={(event) => change({ ...span, to: event.currentTarget.value })}
                />
                {remove}
              </Group>
              {note && (
                <Text size="xs" c="dimmed">
                  {note}
                </Text>
              )}
              {problem && (
                <Text size="xs" c="red" role="alert">
                  {problem}
                </Text>
              )}
            </Stack>
          );
        }}
      </RowsEditor>
    </Stack>
  );
}
