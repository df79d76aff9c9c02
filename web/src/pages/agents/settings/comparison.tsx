import { NumberInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { BELOW } from '../../settings/parts/below';
import { FormSection } from '../section';
import type { SettingsForm } from '.';
import { choices } from './sections';
import { STYLES } from './values';

/** A second way to be, tried out on a share of the conversations. */
export function ComparisonSection({ form }: { form: SettingsForm }) {
  const t = useTexts();
  return (
    <FormSection title={t.agents.sections.trying} text={t.agents.sectionTexts.trying}>
      <Switch label={t.agents.experiment} {...form.getInputProps('compares', { type: 'checkbox' })} />
      {form.values.compares && (
        <>
          <TextInput
            label={t.agents.experimentName}
            required
            maxLength={60}
            {...form.getInputProps('settings.experiment.name')}
          />
          <NumberInput
            label={t.agents.experimentPercent}
            description={t.agents.experimentPercentHelp}
            {...BELOW}
            required
            min={1}
            max={99}
            allowDecimal={false}
            {...form.getInputProps('settings.experiment.percent')}
          />
          <Select
            label={t.agents.style}
            placeholder={t.agents.asBefore}
            data={choices(STYLES, t.agents.styles)}
            clearable
            clearButtonProps={{ 'aria-label': t.agents.asBefore }}
            {...form.getInputProps('settings.experiment.response_style')}
          />
          <NumberInput
            label={t.agents.maxSentences}
            placeholder={t.agents.asBefore}
            min={1}
            max={10}
            allowDecimal={false}
            {...form.getInputProps('settings.experiment.max_sentences')}
          />
          <Textarea
            label={t.agents.instructions}
            placeholder={t.agents.asBefore}
            autosize
            minRows={3}
            maxRows={20}
            maxLength={8000}
            {...form.getInputProps('settings.experiment.system_instructions')}
          />
          <Text size="sm" c="dimmed">
            {t.agents.experimentModel}
          </Text>
        </>
      )}
    </FormSection>
  );
}
