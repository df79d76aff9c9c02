import { Fieldset, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { EDITORS } from '../editors';
import type { EditorProps } from '../editors/props';
import type { Field, Section } from '../kinds/types';
import type { Problems } from './problems';
import { type Values, valueAt, withValue } from './values';

type Props = {
  sections: Section[];
  labels: Record<string, string>;
  help: Record<string, string>;
  values: Values;
  onChange: (change: (values: Values) => Values) => void;
  problems: Problems;
  /** Whether writing begins in the first of them. */
  focus?: boolean;
};

/** The fields of a thing, part by part. A thing of one part needs no frame around it. */
export function SectionFields({ sections, focus, ...rest }: Props) {
  const t = useTexts();
  const [only, more] = sections;
  if (only && !more) return <FieldStack fields={only.fields} focus={focus} {...rest} />;
  return (
    <Stack gap="lg">
      {sections.map((section) => (
        <Fieldset
          key={section.title}
          legend={
            <Text span size="sm" fw={600}>
              {t.business.sections[section.title]}
            </Text>
          }
        >
          <FieldStack fields={section.fields} focus={focus && section === only} {...rest} />
        </Fieldset>
      ))}
    </Stack>
  );
}

function FieldStack({
  fields,
  labels,
  help,
  values,
  onChange,
  problems,
  focus,
}: Omit<Props, 'sections'> & { fields: Field[] }) {
  return (
    <Stack>
      {fields.map((field, at) => {
        // Each editor takes the fields of its own name, which the table of editors sees to.
        const Editor = EDITORS[field.editor] as (props: EditorProps) => React.ReactNode;
        return (
          <Editor
            key={field.name}
            field={field}
            label={labels[field.name] ?? field.name}
            help={help[field.name]}
            value={valueAt(values, field.name)}
            onChange={(value) => onChange((all) => withValue(all, field.name, value))}
            problems={problems}
            focus={focus && at === 0}
          />
        );
      })}
    </Stack>
  );
}
