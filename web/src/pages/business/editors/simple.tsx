import {
  Autocomplete,
  NativeSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTexts } from '../../../i18n';
import { problemAt } from '../form/problems';
import { CHOICES } from '../kinds/types';
import { choicesOf } from '../queries';
import { CURRENCIES, useSetting } from '../setting';
import type { EditorProps, FieldOf } from './props';

const asText = (value: unknown) => (typeof value === 'string' ? value : '');
const asList = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);

/** What all inputs have in common. */
export function common({ field, label, help, problems, focus }: EditorProps) {
  return {
    'data-autofocus': focus || undefined,
    label,
    description: help,
    error: problemAt(problems, field.name),
    required: field.required,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
  };
}

export function LineEditor(props: EditorProps<FieldOf<'line'>>) {
  const { field, value, onChange } = props;
  // An address that lacks its beginning is refused by the server, which says how it is written.
  const inputMode = field.type === 'url' ? 'url' : undefined;
  return (
    <TextInput
      {...common(props)}
      type={field.type === 'url' ? 'text' : field.type}
      inputMode={inputMode}
      maxLength={field.max}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function TextEditor(props: EditorProps<FieldOf<'text'>>) {
  const { field, value, onChange } = props;
  return (
    <Textarea
      {...common(props)}
      autosize
      minRows={field.rows ?? 2}
      maxRows={20}
      maxLength={field.max}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function TemplateEditor(props: EditorProps<FieldOf<'template'>>) {
  const t = useTexts();
  const { field, value, onChange } = props;
  const text = asText(value);
  const places = [...new Set([...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1]))];
  return (
    <Stack gap={4}>
      <Textarea
        {...common(props)}
        autosize
        minRows={4}
        maxRows={20}
        maxLength={field.max}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {places.length > 0 ? t.business.places(places.join(', ')) : t.business.noPlaces}
      </Text>
    </Stack>
  );
}

export function SwitchEditor({
  label,
  help,
  value,
  onChange,
  field,
  problems,
}: EditorProps<FieldOf<'switch'>>) {
  return (
    <Switch
      label={label}
      description={help}
      error={problemAt(problems, field.name)}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function NumberEditor(props: EditorProps<FieldOf<'number'>>) {
  const { field, value, onChange } = props;
  return (
    <NumberInput
      {...common(props)}
      min={field.min}
      max={field.max}
      allowDecimal={false}
      styles={{ wrapper: { maxWidth: 220 } }}
      value={typeof value === 'number' ? value : ''}
      onChange={(number) => onChange(number === '' ? null : Number(number))}
    />
  );
}

export function ChoiceEditor(props: EditorProps<FieldOf<'choice'>>) {
  const t = useTexts();
  const { field, value, onChange } = props;
  const words: Record<string, string> = t.business.choices[field.from];
  const data = CHOICES[field.from].map((one) => ({ value: one as string, label: words[one] ?? one }));
  return (
    <NativeSelect
      {...common(props)}
      data={field.required ? data : [{ value: '', label: t.business.noneOfThese }, ...data]}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

export function CurrencyEditor(props: EditorProps<FieldOf<'currency'>>) {
  const t = useTexts();
  const { locale } = useSetting();
  const data = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'currency' });
    return CURRENCIES.map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }));
  }, [locale]);
  return (
    <Select
      {...common(props)}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t.business.nothingFound}
      data={data}
      value={asText(props.value)}
      onChange={props.onChange}
    />
  );
}

export function TagsEditor(props: EditorProps<FieldOf<'tags'>>) {
  const t = useTexts();
  const { field, value, onChange } = props;
  const list = asList(value);
  return (
    <TagsInput
      {...common(props)}
      maxTags={field.most}
      maxLength={field.max}
      splitChars={[]}
      clearable={false}
      placeholder={list.length === 0 ? t.business.addWithEnter : undefined}
      value={list}
      onChange={onChange}
    />
  );
}

/** Sentences, which have commas and are too long for tags. */
export function LinesEditor(props: EditorProps<FieldOf<'lines'>>) {
  const list = asList(props.value);
  const [text, setText] = useState(list.join('\n'));
  const read = (typed: string) =>
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  const shown = read(text).join('\n') === list.join('\n') ? text : list.join('\n');
  return (
    <Textarea
      {...common(props)}
      autosize
      minRows={3}
      maxRows={20}
      value={shown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        props.onChange(read(event.currentTarget.value));
      }}
    />
  );
}

/** Free text, with what others of the kind say already. */
export function SuggestEditor(props: EditorProps<FieldOf<'suggest'>>) {
  const { tenant } = useSetting();
  const { field, value, onChange } = props;
  const known = useQuery(choicesOf(tenant, field.kind)).data ?? [];
  const said = known.map((item) => (item as Record<string, unknown>)[field.field]);
  const words = [...new Set(said.filter((word): word is string => typeof word === 'string' && word !== ''))];
  return (
    <Autocomplete
      {...common(props)}
      maxLength={field.max}
      limit={20}
      data={words.sort((a, b) => a.localeCompare(b))}
      value={asText(value)}
      onChange={onChange}
    />
  );
}

export function TimeZoneEditor(props: EditorProps<FieldOf<'timeZone'>>) {
  const t = useTexts();
  const { timeZone } = useSetting();
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const own = asText(props.value);
  return (
    <Select
      {...common(props)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.business.clear }}
      limit={50}
      nothingFoundMessage={t.business.nothingFound}
      placeholder={timeZone}
      data={own && !zones.includes(own) ? [own, ...zones] : zones}
      value={own || null}
      onChange={props.onChange}
    />
  );
}
