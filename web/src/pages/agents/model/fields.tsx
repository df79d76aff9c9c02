import { Alert, Autocomplete, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { useTexts } from '../../../i18n';
import { BELOW } from '../../settings/parts/below';
import type { SavedAgent } from '../queries';
import { ProviderKey } from './key';
import { hasAddress, KNOWN_MODELS, PROVIDERS, type Provider } from './providers';
import { fieldOf, type ModelValues, type Slot } from './slots';

type Props = {
  tenant: string;
  agent: SavedAgent;
  form: ReturnType<typeof useForm<ModelValues>>;
  slot: Slot;
};

/** Only those who read what customers send are asked about pictures. */
const SEEING: readonly Slot[] = ['model', 'fallback_model'];

/** One model with what its provider takes. */
export function ModelFields({ tenant, agent, form, slot }: Props) {
  const t = useTexts();
  const words = t.agents.model;
  const draft = form.values[slot];
  const { provider } = draft;
  const field = (name: keyof typeof draft) => form.getInputProps(`${slot}.${name}`);
  const warning = agent.warnings.find((one) => one.field === fieldOf(slot));
  const choose = (value: string | null) => {
    if (!value || value === provider) return;
    const next = value as Provider;
    // What a provider calls its models, and where it is, means nothing to another.
    form.setFieldValue(slot, { ...draft, provider: next, model: KNOWN_MODELS[next][0] ?? '', base_url: '' });
  };
  return (
    <>
      {warning && (
        <Alert color="ochre" style={{ overflowWrap: 'anywhere' }}>
          {warning.message}
        </Alert>
      )}
      <Select
        label={words.provider}
        description={words.providerHelp[provider]}
        {...BELOW}
        data={PROVIDERS.map((value) => ({ value, label: words.providers[value] }))}
        allowDeselect={false}
        {...field('provider')}
        onChange={choose}
      />
      {provider !== 'builtin' && (
        <>
          <Autocomplete
            label={words.name}
            description={words.nameHelp}
            {...BELOW}
            data={[...KNOWN_MODELS[provider]]}
            // All of them are offered, whatever stands there already.
            filter={({ options }) => options}
            required
            maxLength={200}
            {...field('model')}
          />
          {hasAddress(provider) && (
            <TextInput
              label={words.address}
              description={words.addressHelp[provider]}
              {...BELOW}
              placeholder={provider === 'ollama' ? 'http://127.0.0.1:11434' : 'https://openrouter.ai/api/v1'}
              required={provider === 'openai_compatible'}
              maxLength={500}
              inputMode="url"
              {...field('base_url')}
            />
          )}
          <ProviderKey
            tenant={tenant}
            provider={provider}
            address={draft.base_url}
            works={!warning && isSaved(agent, slot, provider)}
          />
          <NumberInput
            label={words.maxTokens}
            description={words.maxTokensHelp}
            {...BELOW}
            required
            min={1}
            max={131_072}
            step={128}
            allowDecimal={false}
            {...field('max_tokens')}
          />
          <NumberInput
            label={words.temperature}
            description={words.temperatureHelp}
            {...BELOW}
            min={0}
            max={2}
            step={0.1}
            decimalScale={2}
            {...field('temperature')}
          />
          <NumberInput
            label={words.timeout}
            description={words.timeoutHelp}
            {...BELOW}
            required
            min={1}
            max={600}
            step={5}
            allowDecimal={false}
            {...field('timeout_seconds')}
          />
          {provider === 'ollama' && (
            <NumberInput
              label={words.context}
              description={words.contextHelp}
              {...BELOW}
              min={512}
              max={1_048_576}
              step={1024}
              allowDecimal={false}
              {...field('context_tokens')}
            />
          )}
          {SEEING.includes(slot) && (
            <Switch
              label={words.pictures}
              description={words.picturesHelp}
              {...form.getInputProps(`${slot}.reads_pictures`, { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </>
  );
}

/** Whether what was saved asks the same provider, so that its warnings speak for what is shown. */
function isSaved({ settings }: SavedAgent, slot: Slot, provider: Provider): boolean {
  const saved = slot === 'experiment' ? settings.experiment?.model : settings[slot];
  return saved?.provider === provider;
}
