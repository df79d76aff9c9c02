import { Divider, Stack, Switch, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { NO_HOURS, type Schedule } from './clock';
import { ExceptionsEditor } from './exceptions';
import type { EditorProps, FieldOf } from './props';
import { WeekEditor } from './week';

/** Opening hours. Who has none of their own has those of the branch. */
export function HoursEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'hours'>>) {
  const t = useTexts();
  const schedule = (value ?? undefined) as Schedule | undefined;
  const change = (part: Partial<Schedule>) => onChange({ ...NO_HOURS, ...schedule, ...part });
  return (
    <Stack>
      {field.own ? (
        <Switch
          label={label}
          description={help}
          checked={schedule !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? NO_HOURS : null)}
        />
      ) : (
        help && (
          <Text size="xs" c="dimmed">
            {help}
          </Text>
        )
      )}
      {(schedule || !field.own) && (
        <>
          <WeekEditor
            value={(schedule ?? NO_HOURS).weekly}
            onChange={(weekly) => change({ weekly })}
            problems={problems}
            path={`${field.name}.weekly`}
          />
          <Divider />
          <ExceptionsEditor
            value={(schedule ?? NO_HOURS).exceptions}
            onChange={(exceptions) => change({ exceptions })}
            problems={problems}
            path={`${field.name}.exceptions`}
          />
        </>
      )}
      {problems[field.name] && (
        <Text size="xs" c="red" role="alert">
          {t.business.checkHours}
        </Text>
      )}
    </Stack>
  );
}
