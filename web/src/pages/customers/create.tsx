import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiError, api, once, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { TextLink } from '../../parts/links';
import { fieldProblems, isPlaced } from './problems';
import { CHANNELS, leadChanged, TEMPERATURES } from './queries';

export function NewCustomer({
  tenant,
  opened,
  close,
}: {
  tenant: string;
  opened: boolean;
  close: () => void;
}) {
  const t = useTexts();
  return (
    <GuardedDialog opened={opened} onClose={close} title={t.customers.create}>
      <NewCustomerForm tenant={tenant} />
    </GuardedDialog>
  );
}

type Sent = { body: Schemas['CreateLead']; key: ReturnType<typeof once> };

function NewCustomerForm({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      name: '',
      phone: '',
      email: '',
      temperature: null as Schemas['Temperature'] | null,
      channel: null as Schemas['Channel'] | null,
      external_id: '',
    },
    validate: {
      external_id: (value, { channel }) => (channel && !value.trim() ? t.customers.problems.empty : null),
    },
  });
  const letGo = useGuard(form.isDirty());
  // The same customer sent again after a failure is made once.
  const last = useRef<Sent>(null);
  const making = useMutation({
    mutationFn: ({ body, key }: Sent) => told(api.POST('/api/v1/leads', { body, params: { header: key } })),
    onSuccess: async (lead) => {
      letGo();
      await leadChanged(queries, tenant);
      await navigate({ to: '/t/$tenant/customers/$lead', params: { tenant, lead: lead.id } });
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  const send = ({ name, phone, email, temperature, channel, external_id }: typeof form.values) => {
    const body = {
      name: name.trim() || null,
      phone: phone.trim() || null,
      email: email.trim() || null,
      temperature,
      identities: channel ? [{ channel, external_id: external_id.trim() }] : [],
    };
    const before = last.current;
    const same = before && JSON.stringify(before.body) === JSON.stringify(body);
    last.current = same ? before : { body, key: once() };
    making.mutate(last.current);
  };
  const { error } = making;
  const other = error instanceof ApiError ? error.details?.lead_id : undefined;
  const { values } = form;
  const empty = !values.name.trim() && !values.phone.trim() && !values.email.trim() && !values.channel;
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        {typeof other === 'string' ? (
          <Alert color="ochre" role="alert">
            {t.customers.knownAlready}{' '}
            <TextLink to="/t/$tenant/customers/$lead" params={{ tenant, lead: other }}>
              {t.customers.seeThem}
            </TextLink>
          </Alert>
        ) : (
          making.isError && !isPlaced(error, t, values) && <FailureNotice error={error} />
        )}
        <TextInput label={t.common.name} maxLength={200} data-autofocus {...form.getInputProps('name')} />
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
          data={TEMPERATURES.map((value) => ({ value, label: t.customers.temperatures[value] }))}
          placeholder={t.customers.temperatures.none}
          clearable
          {...form.getInputProps('temperature')}
        />
        <Select
          label={t.customers.writesBy}
          description={t.customers.writesByHelp}
          data={CHANNELS.map((value) => ({ value, label: t.customers.channels[value] }))}
          clearable
          {...form.getInputProps('channel')}
        />
        {values.channel && (
          <TextInput
            label={t.customers.externalId}
            description={t.customers.externalIdHelp}
            maxLength={200}
            required
            {...form.getInputProps('external_id')}
          />
        )}
        <Button type="submit" loading={making.isPending} disabled={empty}>
          {t.customers.create}
        </Button>
      </Stack>
    </form>
  );
}
