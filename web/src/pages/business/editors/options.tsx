import {
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { type Problems, problemAt } from '../form/problems';
import { useSetting } from '../setting';
import { MoneyInput } from './money';
import type { EditorProps, FieldOf } from './props';
import { RowsEditor } from './rows';

type OptionGroup = Schemas['OptionGroup'];
type Choice = Schemas['Choice'];

const MOST_GROUPS = 10;
const MOST_CHOICES = 50;
const MOST_ALIASES = 10;

/** What can be chosen about a dish, such as its size, and what each choice adds to the price. */
export function OptionsEditor({ field, help, value, onChange, problems }: EditorProps<FieldOf<'options'>>) {
  const t = useTexts();
  const { currency } = useSetting();
  const choice = (): Choice => ({ name: '', aliases: [], extra: { amount: 0, currency }, available: true });
  return (
    <Stack gap="xs">
      {help && (
        <Text size="xs" c="dimmed">
          {help}
        </Text>
      )}
      <RowsEditor
        value={Array.isArray(value) ? (value as OptionGroup[]) : []}
        onChange={onChange}
        blank={() => ({ name: '', required: false, min: 0, max: 1, choices: [choice()] })}
        add={t.business.addGroup}
        most={MOST_GROUPS}
        gap="md"
      >
        {(group, change, { menu, position }) => (
          <GroupRow
            value={group}
            onChange={change}
            menu={menu}
            blank={choice}
            problems={problems}
            path={`${field.name}[${position}]`}
          />
        )}
      </RowsEditor>
    </Stack>
  );
}

type RowProps<T> = {
  value: T;
  onChange: (value: T) => void;
  menu: ReactNode;
  problems: Problems;
  path: string;
};

function GroupRow({
  value,
  onChange,
  menu,
  blank,
  problems,
  path,
}: RowProps<OptionGroup> & { blank: () => Choice }) {
  const t = useTexts();
  // Nobody can choose more than there is.
  const most = Math.max(value.choices.length, 1);
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            label={t.business.groupName}
            placeholder={t.business.groupExample}
            required
            maxLength={120}
            error={problemAt(problems, `${path}.name`)}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
            style={{ flex: 1 }}
          />
          {menu}
        </Group>
        <Switch
          label={t.business.mustChoose}
          checked={value.required === true}
          onChange={(event) => onChange({ ...value, required: event.currentTarget.checked })}
        />
        <Group gap="xs" align="flex-start">
          <NumberInput
            label={t.business.atLeast}
            w={110}
            min={0}
            max={value.max}
            allowDecimal={false}
            error={problemAt(problems, `${path}.min`)}
            value={value.min ?? 0}
            onChange={(min) => onChange({ ...value, min: Number(min) || 0 })}
          />
          <NumberInput
            label={t.business.atMost}
            w={110}
            min={1}
            max={most}
            allowDecimal={false}
            error={problemAt(problems, `${path}.max`)}
            value={value.max}
            onChange={(max) => onChange({ ...value, max: Number(max) || 1 })}
          />
        </Group>
        <Text size="sm" fw={600}>
          {t.business.groupChoices}
        </Text>
        <RowsEditor
          value={value.choices}
          onChange={(choices) => onChange({ ...value, choices })}
          blank={blank}
          add={t.business.addChoice}
          most={MOST_CHOICES}
          gap="sm"
        >
          {(choice, change, tools) => (
            <ChoiceRow
              value={choice}
              onChange={change}
              menu={tools.menu}
              problems={problems}
              path={`${path}.choices[${tools.position}]`}
            />
          )}
        </RowsEditor>
        {problems[`${path}.choices`] && (
          <Text size="xs" c="red" role="alert">
            {problems[`${path}.choices`]}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function ChoiceRow({ value, onChange, menu, problems, path }: RowProps<Choice>) {
  const t = useTexts();
  const { currency } = useSetting();
  const of = value.name || t.business.choice;
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={t.business.choiceName}
          placeholder={t.business.choiceName}
          required
          maxLength={120}
          error={problemAt(problems, `${path}.name`)}
          value={value.name}
          onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
          style={{ flex: 1 }}
        />
        <MoneyInput
          aria-label={t.business.extraOf(of)}
          w={110}
          value={value.extra}
          error={problemAt(problems, `${path}.extra`)}
          onChange={(extra) => onChange({ ...value, extra: extra ?? { amount: 0, currency } })}
        />
      </Group>
      <TagsInput
        size="xs"
        aria-label={t.business.aliasesOf(of)}
        placeholder={value.aliases?.length ? undefined : t.business.aliases}
        maxTags={MOST_ALIASES}
        maxLength={120}
        splitChars={[]}
        error={problemAt(problems, `${path}.aliases`)}
        value={value.aliases ?? []}
        onChange={(aliases) => onChange({ ...value, aliases })}
      />
      <Group justify="space-between" wrap="nowrap">
        <Checkbox
          size="xs"
          label={t.business.available}
          aria-label={`${t.business.available}: ${of}`}
          checked={value.available}
          onChange={(event) => onChange({ ...value, available: event.currentTarget.checked })}
        />
        {menu}
      </Group>
    </Stack>
  );
}
