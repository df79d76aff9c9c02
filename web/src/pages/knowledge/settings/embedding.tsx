import { Alert, Autocomplete, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { FormSection } from '../../agents/section';
import type { KnowledgeBase } from '../queries';
import type { BaseForm } from '.';
import { MODELS, PROVIDERS } from './values';

/** Who makes the vectors by which chunks are found by their meaning. */
export function EmbeddingSection({
  form,
  base,
  chunks,
}: {
  form: BaseForm;
  base: KnowledgeBase;
  chunks: number;
}) {
  const { baseSettings: words } = useTexts();
  const { provider } = form.values.embedding_config;
  // Some installations have one that others do not know.
  const models = MODELS[provider] ?? {};
  const field = (name: string) => form.getInputProps(`embedding_config.${name}`);
  // What is somebody's own server is not for everybody to choose.
  const offered = PROVIDERS.filter((one) => one !== 'custom' || base.scope !== 'personal');
  const take = (changed: Partial<typeof form.values.embedding_config>) =>
    form.setFieldValue('embedding_config', { ...form.values.embedding_config, ...changed });
  const choose = (value: string | null) => {
    const next = offered.find((one) => one === value);
    if (!next || next === provider) return;
    const [first] = Object.entries(MODELS[next]);
    take({ provider: next, model: first?.[0] ?? '', dimensions: first?.[1] ?? 768, base_url: '' });
  };
  const name = (model: string) => {
    const length = models[model];
    take({ model, ...(length ? { dimensions: length } : {}) });
  };
  const { searched_with: searched, embedding_config: wanted } = base;
  const changing = searched.model !== wanted.model || searched.provider !== wanted.provider;
  return (
    <FormSection title={words.embedding} text={words.embeddingText}>
      {changing && chunks > 0 && (
        <Alert color="gray" role="status">
          {words.changing(searched.model ?? '', wanted.model ?? '')}
        </Alert>
      )}
      <Select
        label={words.provider}
        description={words.providerHelp[provider]}
        data={[...new Set([...offered, provider])].map((value) => ({
          value,
          label: words.providers[value] ?? value,
        }))}
        allowDeselect={false}
        {...field('provider')}
        onChange={choose}
      />
      {provider === 'builtin' ? (
        <Select
          label={words.model}
          data={Object.keys(MODELS.builtin).map((value) => ({
            value,
            label: words.builtin[value as keyof typeof words.builtin],
          }))}
          allowDeselect={false}
          {...field('model')}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Autocomplete
            label={words.model}
            data={Object.keys(models)}
            filter={({ options }) => options}
            required
            maxLength={200}
            {...field('model')}
            onChange={name}
          />
          <NumberInput
            label={words.dimensions}
            min={1}
            max={4096}
            allowDecimal={false}
            required
            {...field('dimensions')}
          />
        </SimpleGrid>
      )}
      {provider === 'custom' && (
        <TextInput
          label={words.address}
          description={words.addressHelp}
          placeholder="http://127.0.0.1:11434/v1"
          required
          maxLength={500}
          {...field('base_url')}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={words.batch}
          min={1}
          max={2048}
          allowDecimal={false}
          required
          {...field('batch_size')}
        />
        <NumberInput
          label={words.batches}
          min={1}
          max={16}
          allowDecimal={false}
          required
          {...field('concurrent_batches')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {words.rerankText}
      </Text>
    </FormSection>
  );
}
