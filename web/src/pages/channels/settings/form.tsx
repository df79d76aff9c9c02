import { Button, Fieldset, NumberInput, Paper, Select, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { showProblems } from '../../agents/forms';
import { useFollowed } from '../../settings/parts/followed';
import { Trouble } from '../../settings/parts/refusal';
import { fieldProblems } from '../../settings/problems';
import { useChannelSaving } from '../changing';
import { AgentSelect } from '../parts/agent';
import type { Connection } from '../queries';
import { useCountries } from './countries';
import { ReminderSelect } from './reminder';
import { bodyOf, type SettingsValues, valuesOf } from './values';

/** How a connection is called, who answers on it and when. */
export function SettingsForm({
  tenant,
  connection,
  readOnly,
}: {
  tenant: string;
  connection: Connection;
  readOnly: boolean;
}) {
  const t = useTexts();
  const words = t.channels.settings;
  const form = useForm<SettingsValues>({
    initialValues: valuesOf(connection),
    validate: { name: (name) => (name.trim() ? null : t.channels.fields.empty) },
  });
  useFollowed(form, valuesOf(connection));
  const letGo = useGuard(form.isDirty());
  const countries = useCountries(form.values.country);
  const saving = useChannelSaving(tenant, connection, (now) => {
    letGo();
    form.setInitialValues(valuesOf(now));
    form.reset();
    done(words.saved);
  });
  const submit = form.onSubmit((values) =>
    saving.mutate(bodyOf(values, connection), {
      onError: (error) => {
        // A form has its fields side by side, the server some of them inside others.
        const problems = Object.entries(fieldProblems(error, t));
        const plain = problems.map(([field, text]) => [field.split('.').slice(0, 2).at(-1) ?? field, text]);
        showProblems(form, Object.fromEntries(plain));
      },
    }),
  );
  return (
    <Paper withBorder p="md" component="section">
      <form onSubmit={submit} noValidate>
        <Fieldset variant="unstyled" disabled={readOnly}>
          <Stack>
            <Title order={2} size="h4">
              {words.answering}
            </Title>
            {saving.isError && Object.keys(form.errors).length === 0 && <Trouble error={saving.error} />}
            <TextInput
              label={t.channels.fields.name}
              required
              maxLength={100}
              {...form.getInputProps('name')}
            />
            <AgentSelect tenant={tenant} disabled={readOnly} {...form.getInputProps('agent')} />
            <NumberInput
              label={words.debounce}
              description={words.debounceHelp}
              min={0}
              max={30}
              step={0.5}
              decimalScale={3}
              clampBehavior="blur"
              {...form.getInputProps('debounce_ms')}
            />
            <NumberInput
              label={words.returns}
              description={words.returnsHelp}
              min={0}
              max={10_080}
              step={5}
              allowDecimal={false}
              clampBehavior="blur"
              {...form.getInputProps('return_after_minutes')}
            />
            <Switch
              label={words.typing}
              description={words.typingHelp}
              {...form.getInputProps('shows_typing', { type: 'checkbox' })}
            />
            <Select
              label={words.country}
              description={words.countryHelp}
              data={countries}
              searchable
              clearable
              disabled={readOnly}
              {...form.getInputProps('country')}
            />
            {connection.channel === 'whatsapp' && (
              <ReminderSelect
                tenant={tenant}
                connection={connection}
                disabled={readOnly}
                {...form.getInputProps('reminder')}
              />
            )}
            {!readOnly && (
              <Button type="submit" loading={saving.isPending} style={{ alignSelf: 'flex-start' }}>
                {t.common.save}
              </Button>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Paper>
  );
}
