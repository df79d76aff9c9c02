import { Box, Button, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done } from '../../parts/notify';
import { agentsOf } from '../agents/queries';
import { useFollowed } from '../settings/parts/followed';
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
type Values = ReturnType<typeof valuesOf>;
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function changesSince(began: Values, values: Values): Partial<Values> {
  const fields = Object.entries(values) as [keyof Values, Values[keyof Values]][];
  return Object.fromEntries(fields.filter(([field, value]) => !isSame(value, began[field])));
}

/** An emptied field is taken away. */
const meant = (changes: Partial<Values>): Schemas['UpdateLead'] =>
  Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      typeof value === 'string' ? value.trim() || null : value,
    ]),
  );

/** What is known of a customer, to be corrected. */
export function CustomerDetails({ tenant, lead }: { tenant: string; lead: Lead }) {
  const t = useTexts();
  const queries = useQueryClient();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const branches = useQuery(branchesOf(tenant)).data?.data ?? [];
  const form = useForm({ initialValues: valuesOf(lead) });
  useFollowed(form, valuesOf(lead));
  useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: (values: Values) => {
      // Only what somebody changed: an agent, or somebody else, may have changed the rest meanwhile.
      const body = meant(changesSince(form.getInitialValues(), values));
      return told(api.PATCH('/api/v1/leads/{lead_id}', { params: { path: { lead_id: lead.id } }, body }));
    },
    onSuccess: async (saved, sent) => {
      const known = valuesOf(saved);
      // What was typed while it was being saved is not saved yet.
      const typed = changesSince(sent, form.getValues());
      form.setValues({ ...known, ...typed });
      form.resetDirty(known);
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
