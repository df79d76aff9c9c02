import { Group, Input, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { useTexts } from '../../../i18n';
import { problemAt } from '../form/problems';
import type { EditorProps, FieldOf } from './props';
import { RowsEditor } from './rows';

const UNITS = { minutes: 1, hours: 60, days: 1440 } as const;
type Unit = keyof typeof UNITS;

/** The largest unit of which it is a whole number. */
function unitOf(minutes: number | null): Unit {
  if (!minutes || minutes % UNITS.hours !== 0) return 'minutes';
  return minutes % UNITS.days === 0 ? 'days' : 'hours';
}

type Props = {
  value: number | null;
  onChange: (minutes: number | null) => void;
  min: number;
  max: number;
  step?: number;
  label: string;
  id?: string;
  described?: string;
  required?: boolean;
  wrong?: boolean;
};

/** A number and its unit, kept in minutes. */
export function DurationInput({
  value,
  onChange,
  min,
  max,
  step = 1,
  label,
  id,
  described,
  required,
  wrong,
}: Props) {
  const t = useTexts();
  const [unit, setUnit] = useState(unitOf(value));
  const factor = UNITS[unit];
  const units = (Object.keys(UNITS) as Unit[]).filter((one) => UNITS[one] <= max);
  return (
    <Group gap="xs" wrap="nowrap" mb={described ? 5 : 0}>
      <NumberInput
        id={id}
        aria-label={id ? undefined : label}
        aria-describedby={described}
        required={required}
        error={wrong}
        withErrorStyles
        w={110}
        min={Math.ceil(min / factor)}
        max={Math.floor(max / factor)}
        step={unit === 'minutes' ? step : 1}
        decimalScale={unit === 'minutes' ? 0 : 2}
        value={value === null ? '' : value / factor}
        onChange={(typed) => onChange(typed === '' ? null : Math.round(Number(typed) * factor))}
      />
      <NativeSelect
        aria-label={t.business.unitOf(label)}
        w={110}
        data={units.map((one) => ({ value: one, label: t.business.units[one] }))}
        value={unit}
        onChange={(event) => {
          const next = event.currentTarget.value as Unit;
          setUnit(next);
          // The number stays as it is written, and means the new unit.
          if (value !== null) onChange(Math.min(Math.round(value / factor) * UNITS[next], max));
        }}
      />
    </Group>
  );
}

export function DurationEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'duration'>>) {
  const id = useId();
  const problem = problemAt(problems, field.name);
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={help}
      error={problem}
      required={field.required}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <DurationInput
        id={id}
        described={help ? `${id}-description` : undefined}
        label={label}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
        min={field.min}
        max={field.max}
        step={field.step}
        required={field.required}
        wrong={problem !== undefined}
      />
    </Input.Wrapper>
  );
}

/** Several, such as how long before an appointment the customer is reminded. */
export function DurationsEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'durations'>>) {
  const t = useTexts();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={help}
      error={problemAt(problems, field.name)}
    >
      <Stack mt="xs">
        <RowsEditor
          value={Array.isArray(value) ? (value as (number | null)[]) : []}
          onChange={onChange}
          blank={() => 60}
          add={t.business.addReminder}
          most={field.most}
        >
          {(minutes, change, { remove, position }) => (
            <Group gap="xs" wrap="nowrap">
              <DurationInput
                label={`${label} ${position + 1}`}
                value={minutes}
                onChange={change}
                min={field.min}
                max={field.max}
                required
              />
              {remove}
            </Group>
          )}
        </RowsEditor>
      </Stack>
    </Input.Wrapper>
  );
}
