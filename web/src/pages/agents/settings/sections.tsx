import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { BELOW } from '../../settings/parts/below';
import { FormSection } from '../section';
import type { SettingsForm } from '.';
import { GROUNDINGS, KINDS, LANGUAGES, STYLES, VERTICALS } from './values';

type Props = { form: SettingsForm };

export const choices = <T extends string>(known: readonly T[], names: Record<T, string>) =>
  known.map((value) => ({ value, label: names[value] }));

export function IdentitySection({ form }: Props) {
  const t = useTexts();
  return (
    <FormSection title={t.agents.sections.who} text={t.agents.sectionTexts.who}>
      <TextInput label={t.common.name} required maxLength={100} {...form.getInputProps('name')} />
      <TextInput
        label={t.agents.company}
        description={t.agents.companyHelp}
        {...BELOW}
        required
        maxLength={100}
        {...form.getInputProps('company_name')}
      />
      <Select
        label={t.agents.vertical}
        description={t.agents.verticalHelp}
        {...BELOW}
        data={choices(VERTICALS, t.agents.verticals)}
        allowDeselect={false}
        {...form.getInputProps('vertical')}
      />
      <Select
        label={t.agents.language}
        description={t.agents.languageHelp}
        {...BELOW}
        data={choices(LANGUAGES, t.agents.languages)}
        allowDeselect={false}
        {...form.getInputProps('language')}
      />
    </FormSection>
  );
}

export function SpeakingSection({ form }: Props) {
  const t = useTexts();
  return (
    <FormSection title={t.agents.sections.speaking} text={t.agents.sectionTexts.speaking}>
      <Select
        label={t.agents.kind}
        description={t.agents.kindHelp}
        {...BELOW}
        data={choices(KINDS, t.agents.kinds)}
        allowDeselect={false}
        {...form.getInputProps('settings.assistant_type')}
      />
      <Select
        label={t.agents.style}
        data={choices(STYLES, t.agents.styles)}
        allowDeselect={false}
        {...form.getInputProps('settings.response_style')}
      />
      <NumberInput
        label={t.agents.maxSentences}
        description={t.agents.maxSentencesHelp}
        {...BELOW}
        required
        min={1}
        max={10}
        allowDecimal={false}
        {...form.getInputProps('settings.max_sentences')}
      />
      <NumberInput
        label={t.agents.maxWords}
        description={t.agents.maxWordsHelp}
        {...BELOW}
        required
        min={20}
        max={200}
        step={10}
        allowDecimal={false}
        {...form.getInputProps('settings.max_words')}
      />
      <Textarea
        label={t.agents.instructions}
        description={t.agents.instructionsHelp}
        {...BELOW}
        autosize
        minRows={4}
        maxRows={20}
        maxLength={8000}
        {...form.getInputProps('settings.system_instructions')}
      />
      <Switch
        label={t.agents.polish}
        description={t.agents.polishHelp}
        {...form.getInputProps('settings.polish', { type: 'checkbox' })}
      />
      <Switch
        label={t.rehearsals.gate}
        description={t.rehearsals.gateHelp}
        {...form.getInputProps('settings.rehearse_before_publishing', { type: 'checkbox' })}
      />
    </FormSection>
  );
}

export function KnowingSection({ form }: Props) {
  const t = useTexts();
  return (
    <FormSection title={t.agents.sections.knowing} text={t.agents.sectionTexts.knowing}>
      <Select
        label={t.agents.grounding}
        description={t.agents.groundingHelp}
        {...BELOW}
        data={choices(GROUNDINGS, t.agents.groundings)}
        allowDeselect={false}
        {...form.getInputProps('settings.grounding')}
      />
      <NumberInput
        label={t.agents.memory}
        description={t.agents.memoryHelp}
        {...BELOW}
        required
        min={0}
        max={30}
        allowDecimal={false}
        {...form.getInputProps('settings.memory')}
      />
      <NumberInput
        label={t.agents.topK}
        description={t.agents.topKHelp}
        {...BELOW}
        required
        min={1}
        max={10}
        allowDecimal={false}
        {...form.getInputProps('settings.top_k')}
      />
      <NumberInput
        label={t.agents.threshold}
        description={t.agents.thresholdHelp}
        {...BELOW}
        required
        min={0}
        max={1}
        step={0.05}
        decimalScale={3}
        {...form.getInputProps('settings.similarity_threshold')}
      />
      <Switch
        label={t.agents.temperature}
        description={t.agents.temperatureHelp}
        {...form.getInputProps('settings.tracks_temperature', { type: 'checkbox' })}
      />
      <Switch
        label={t.agents.personal}
        description={t.agents.personalHelp}
        {...form.getInputProps('allows_personal_corpus', { type: 'checkbox' })}
      />
    </FormSection>
  );
}
