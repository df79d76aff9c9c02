import { Select, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { FormSection } from '../../agents/section';
import type { BaseForm } from '.';

const LANGUAGES = ['es', 'en'] as const;

export function AboutSection({ form, named }: { form: BaseForm; named: boolean }) {
  const t = useTexts();
  const words = t.baseSettings;
  return (
    <FormSection title={words.about}>
      {named && <TextInput label={t.common.name} required maxLength={100} {...form.getInputProps('name')} />}
      <Textarea
        label={t.knowledge.description}
        maxLength={2000}
        autosize
        {...form.getInputProps('description')}
      />
      <Select
        label={words.language}
        description={words.languageHelp}
        data={LANGUAGES.map((value) => ({ value, label: words.languages[value] }))}
        allowDeselect={false}
        {...form.getInputProps('language')}
      />
    </FormSection>
  );
}
