import { Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../../i18n';
import { useRights } from '../../settings/rights';
import { useTwoWays } from '../drafts/saving';
import { showProblems, useGuard } from '../forms';
import { type SavedAgent, unsavedOf } from '../queries';
import { Editable, FormSection } from '../section';
import { ModelFields } from './fields';
import { configOf } from './providers';
import { draftsOf, fieldOf, type ModelValues, SLOTS } from './slots';
import { ModelTrial, TryModels, useModelTrials } from './trial';

/** The names that the server gives fields, as the form calls them. */
function problemsHere(problems: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).map(([field, text]) => {
      const slot = SLOTS.find((one) => field.startsWith(`${fieldOf(one)}.`));
      return [slot ? `${slot}.${field.slice(fieldOf(slot).length + 1)}` : field, text];
    }),
  );
}

type Props = {
  tenant: string;
  /** With its draft, where there is one. */
  agent: SavedAgent;
  revision: string | null;
};

/** Who writes the answers of an agent, and who does when the first cannot. */
export function ModelForm({ tenant, agent, revision }: Props) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const form = useForm<ModelValues>({ initialValues: draftsOf(agent) });
  useGuard(() => form.isDirty());
  const compared = agent.settings.experiment != null;
  const slots = SLOTS.filter((slot) => slot !== 'experiment' || compared);
  const bodyOf = ({ model, fallback_model, voice_model, experiment }: ModelValues) => ({
    settings: {
      model: configOf(model),
      fallback_model: configOf(fallback_model),
      voice_model: configOf(voice_model),
      ...(compared ? { experiment: { model: configOf(experiment) } } : {}),
    },
  });
  const show = (problems: Record<string, string>) => showProblems(form, problemsHere(problems));
  const trials = useModelTrials(agent, show);
  const { publish, buttons } = useTwoWays({
    tenant,
    agent,
    revision,
    form,
    valuesOf: draftsOf,
    bodyOf,
    show,
    saved: t.agents.model.saved,
  });
  const changes = may('agents:write');
  return (
    <Stack maw={680}>
      <Text size="sm">{t.agents.model.intro}</Text>
      <Editable allowed={changes}>
        <form onSubmit={publish}>
          <Stack>
            {slots.map((slot) => (
              <FormSection
                key={slot}
                title={t.agents.model.slots[slot]}
                text={t.agents.model.slotTexts[slot]}
              >
                {slot !== 'model' && (
                  <Switch
                    label={t.agents.model.use[slot]}
                    {...form.getInputProps(`${slot}.on`, { type: 'checkbox' })}
                  />
                )}
                {form.values[slot].on && (
                  <ModelFields tenant={tenant} agent={agent} form={form} slot={slot} />
                )}
                {form.values[slot].on && <ModelTrial tenant={tenant} trials={trials} field={fieldOf(slot)} />}
              </FormSection>
            ))}
            {changes && (
              <TryModels
                trials={trials}
                act={() => trials.mutate(unsavedOf(revision != null, bodyOf(form.values).settings))}
              />
            )}
            {changes && buttons}
          </Stack>
        </form>
      </Editable>
    </Stack>
  );
}
