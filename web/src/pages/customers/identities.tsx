import { Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done, failed } from '../../parts/notify';
import { useOnce } from '../settings/once';
import { fieldProblems, isPlaced } from './problems';
import { CHANNELS, type Lead, leadChanged, leadOf } from './queries';

/** How channels know a customer: whoever writes from there is this person. */
export function CustomerIdentities({ tenant, lead }: { tenant: string; lead: Lead }) {
  const t = useTexts();
  const queries = useQueryClient();
  const params = { path: { lead_id: lead.id } };
  const changed = async (saved: Lead) => {
    queries.setQueryData(leadOf(tenant, lead.id).queryKey, saved);
    await leadChanged(queries, tenant);
  };
  const form = useForm({ initialValues: { channel: 'whatsapp' as Schemas['Channel'], external_id: '' } });
  useGuard(form.isDirty());
  const key = useOnce();
  const adding = useMutation({
    mutationFn: ({ channel, external_id }: typeof form.values) => {
      const body = { channel, external_id: external_id.trim() };
      const header = key.header(body);
      return told(api.POST('/api/v1/leads/{lead_id}/identities', { params: { ...params, header }, body }));
    },
    onSuccess: async (saved) => {
      key.forget();
      form.reset();
      done(t.customers.identityAdded);
      await changed(saved);
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  const removing = useMutation({
    mutationFn: (query: Schemas['Identity']) =>
      told(api.DELETE('/api/v1/leads/{lead_id}/identities', { params: { ...params, query } })),
    onSuccess: async (saved) => {
      done(t.customers.identityRemoved);
      await changed(saved);
    },
    onError: failed,
  });
  const ask = (identity: Schemas['Identity']) =>
    modals.openConfirmModal({
      title: t.customers.forgetIdentity,
      children: (
        <Text size="sm">
          {t.customers.forgetIdentityText(t.customers.channels[identity.channel], identity.external_id)}
        </Text>
      ),
      labels: { confirm: t.customers.forget, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': t.common.close },
      onConfirm: () => removing.mutate(identity),
    });
  return (
    <Stack maw={640}>
      <Text size="sm" c="dimmed">
        {t.customers.identitiesIntro}
      </Text>
      {lead.identities.length === 0 && <Text>{t.customers.noIdentities}</Text>}
      {lead.identities.map((identity) => (
        <Paper key={`${identity.channel} ${identity.external_id}`} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Text span fw={600}>
                {t.customers.channels[identity.channel]}
              </Text>{' '}
              {identity.external_id}
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              loading={removing.isPending && removing.variables === identity}
              onClick={() => ask(identity)}
              aria-label={t.customers.forgetIdentityText(
                t.customers.channels[identity.channel],
                identity.external_id,
              )}
            >
              {t.customers.forget}
            </Button>
          </Group>
        </Paper>
      ))}
      <form onSubmit={form.onSubmit((values) => adding.mutate(values))}>
        <Stack gap="sm">
          {adding.isError && !isPlaced(adding.error, t, form.values) && (
            <FailureNotice error={adding.error} />
          )}
          <Select
            label={t.customers.channel}
            data={CHANNELS.map((value) => ({ value, label: t.customers.channels[value] }))}
            allowDeselect={false}
            {...form.getInputProps('channel')}
          />
          <TextInput
            label={t.customers.externalId}
            description={t.customers.externalIdHelp}
            required
            maxLength={200}
            {...form.getInputProps('external_id')}
          />
          <Button type="submit" loading={adding.isPending} style={{ alignSelf: 'flex-start' }}>
            {t.customers.addIdentity}
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}
