import { Box, Button, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { done } from '../../parts/notify';
import { agentsOf } from '../agents/queries';
import { fieldProblems, isPlaced } from './problems';
import { branchesOf, type Lead, leadChanged, leadOf, TEMPERATURES } from './queries';

const valuesOf = (lead: Lead) => ({
  name: lead.name ?? '',
  phone: lead.phone ?? '',
  email: lead.email ?? '',
  temperature: lead.temperature ?? null,
  tags: lead.tags,
  notes: lead.notes ?? '',
  agent_id: lead.agent_id ?? null,
  branch_id: lead.branch_id ?? null,
});

/** What is known of a customer, to be corrected. */
export function CustomerDetails({ tenant, lead }: { tenant: string; lead: Lead }) {
  const t = useTexts();
  const queries = useQueryClient();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const branches = useQuery(branchesOf(tenant)).data?.data ?? [];
  const form = useForm({ initialValues: valuesOf(lead) });
  // What an agent notes meanwhile is shown, unless somebody is writing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another object each time
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(valuesOf(lead));
    form.reset();
  }, [lead]);
  useBlocker({
    shouldBlockFn: () => form.isDirty() && !window.confirm(t.common.unsaved),
    enableBeforeUnload: () => form.isDirty(),
  });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) => {
      const body: Schemas['UpdateLead'] = {
        ...values,
        name: values.name.trim() || null,
        phone: values.phone.trim() || null,
        email: values.email.trim() || null,
        notes: values.notes.trim() || null,
      };
      return told(api.PATCH('/api/v1/leads/{lead_id}', { params: { path: { lead_id: lead.id } }, body }));
    },
    onSuccess: async (saved) => {
      form.setInitialValues(valuesOf(saved));
      form.setValues(valuesOf(saved));
      queries.setQueryData(leadOf(tenant, lead.id).queryKey, saved);
      done(t.common.saved);
      await leadChanged(queries, tenant);
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  return (
    <Box
      component="form"
      flex="2 1 320px"
      maw={640}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
    >
      <Stack>
        {saving.isError && !isPlaced(saving.error, t, form.values) && <FailureNotice error={saving.error} />}
        <TextInput label={t.common.name} maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label={t.customers.phone}
          description={t.customers.phoneHelp}
          type="tel"
          maxLength={40}
          {...form.getInputProps('phone')}
        />
        <TextInput label={t.customers.email} type="email" maxLength={254} {...form.getInputProps('email')} />
        <Select
          label={t.customers.temperature}
          description={t.customers.temperatureHelp}
          data={TEMPERATURES.map((value) => ({ value, label: t.customers.temperatures[value] }))}
          placeholder={t.customers.temperatures.none}
          clearable
          {...form.getInputProps('temperature')}
        />
        <TagsInput
          label={t.customers.tags}
          description={t.customers.tagsHelp}
          maxTags={50}
          {...form.getInputProps('tags')}
        />
        <Textarea
          label={t.customers.notes}
          description={t.customers.notesHelp}
          autosize
          minRows={3}
          maxLength={5000}
          {...form.getInputProps('notes')}
        />
        <Select
          label={t.customers.agent}
          description={t.customers.agentHelp}
          data={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
          placeholder={t.common.none}
          clearable
          {...form.getInputProps('agent_id')}
        />
        {(branches.length > 0 || lead.branch_id) && (
          <Select
            label={t.customers.branch}
            description={t.customers.branchHelp}
            data={branches.map((branch) => ({ value: branch.id, label: branch.name }))}
            placeholder={t.common.none}
            clearable
            {...form.getInputProps('branch_id')}
          />
        )}
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={!form.isDirty()}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.common.save}
        </Button>
      </Stack>
    </Box>
  );
}
