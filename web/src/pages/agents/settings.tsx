import { Button, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { done } from '../../parts/notify';

const STYLES = ['profesional', 'profesional_calido', 'casual', 'muy_formal'] as const;
const KINDS = [
  'full',
  'appointments_only',
  'orders_only',
  'info_only',
  'personal_brand',
  'lead_capture',
] as const;
const GROUNDINGS = ['strict', 'open'] as const;

/** Who an agent is and how it speaks. */
export function AgentSettingsForm({ tenant, agent }: { tenant: string; agent: Schemas['Agent'] }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { settings } = agent;
  const form = useForm({
    initialValues: {
      name: agent.name,
      company_name: agent.company_name,
      enabled: agent.enabled,
      response_style: settings.response_style,
      assistant_type: settings.assistant_type,
      grounding: settings.grounding,
      max_sentences: settings.max_sentences,
      system_instructions: settings.system_instructions ?? '',
    },
  });
  useBlocker({
    shouldBlockFn: () => form.isDirty() && !window.confirm(t.common.unsaved),
    enableBeforeUnload: () => form.isDirty(),
  });
  const saving = useMutation({
    mutationFn: ({ name, company_name, enabled, system_instructions, ...rest }: typeof form.values) => {
      const own = system_instructions.trim();
      const body = { name, company_name, enabled, settings: { ...rest, system_instructions: own || null } };
      return told(api.PATCH('/api/v1/agents/{agent}', { params: { path: { agent: agent.id } }, body }));
    },
    onSuccess: async () => {
      form.resetDirty();
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack maw={640}>
        {saving.isError && <FailureNotice error={saving.error} />}
        <TextInput label={t.common.name} required maxLength={100} {...form.getInputProps('name')} />
        <TextInput
          label={t.agents.company}
          required
          maxLength={100}
          {...form.getInputProps('company_name')}
        />
        <Switch label={t.agents.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <Select
          label={t.agents.style}
          data={STYLES.map((value) => ({ value, label: t.agents.styles[value] }))}
          allowDeselect={false}
          {...form.getInputProps('response_style')}
        />
        <Select
          label={t.agents.kind}
          data={KINDS.map((value) => ({ value, label: t.agents.kinds[value] }))}
          allowDeselect={false}
          {...form.getInputProps('assistant_type')}
        />
        <Select
          label={t.agents.grounding}
          data={GROUNDINGS.map((value) => ({ value, label: t.agents.groundings[value] }))}
          allowDeselect={false}
          {...form.getInputProps('grounding')}
        />
        <NumberInput
          label={t.agents.maxSentences}
          min={1}
          max={10}
          {...form.getInputProps('max_sentences')}
        />
        <Textarea
          label={t.agents.instructions}
          description={t.agents.instructionsHelp}
          autosize
          minRows={4}
          {...form.getInputProps('system_instructions')}
        />
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={!form.isDirty()}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.common.save}
        </Button>
      </Stack>
    </form>
  );
}
