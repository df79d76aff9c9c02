import { Button, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { useRights } from '../../settings/rights';
import { problemsOf, showProblems, useAgentSaving, useGuard } from '../forms';
import type { SavedAgent } from '../queries';
import { Editable, FormSection, SaveFailure } from '../section';
import { ModelFields } from './fields';
import { configOf } from './providers';
import { draftsOf, fieldOf, type ModelValues, SLOTS } from './slots';

/** The names that the server gives fields, as the form calls them. */
function problemsHere(problems: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).map(([field, text]) => {
      const slot = SLOTS.find((one) => field.startsWith(`${fieldOf(one)}.`));
      return [slot ? `${slot}.${field.slice(fieldOf(slot).length + 1)}` : field, text];
    }),
  );
}

/** Who writes the answers of an agent, and who does when the first cannot. */
export function ModelForm({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const form = useForm<ModelValues>({ initialValues: draftsOf(agent) });
  useGuard(() => form.isDirty());
  const saving = useAgentSaving(tenant, agent, (changed) => {
    form.setInitialValues(draftsOf(changed));
    form.reset();
    done(t.agents.model.saved);
  });
  const slots = SLOTS.filter((slot) => slot !== 'experiment' || agent.settings.experiment);
  const save = form.onSubmit((values) => {
    const { model, fallback_model, voice_model, experiment } = values;
    const settings = {
      model: configOf(model),
      fallback_model: configOf(fallback_model),
      voice_model: configOf(voice_model),
      ...(agent.settings.experiment ? { experiment: { model: configOf(experiment) } } : {}),
    };
    saving.mutate(
      { settings },
      { onError: (error) => showProblems(form, problemsHere(problemsOf(error, t))) },
    );
  });
  const changes = may('agents:write');
  return (
    <Stack maw={680}>
      <Text size="sm">{t.agents.model.intro}</Text>
      <Editable allowed={changes}>
        <form onSubmit={save}>
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
              </FormSection>
            ))}
            {saving.isError && <SaveFailure error={saving.error} />}
            {changes && (
              <Button
                type="submit"
                loading={saving.isPending}
                disabled={!form.isDirty()}
                style={{ alignSelf: 'flex-start' }}
              >
                {t.common.save}
              </Button>
            )}
          </Stack>
        </form>
      </Editable>
    </Stack>
  );
}
