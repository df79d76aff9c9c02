import { Alert, Button, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done } from '../../parts/notify';
import { fieldErrors, UNDER, useOnce } from '../agenda/asking';
import { CustomerField, NOBODY } from '../agenda/customer';
import type { Formats } from '../agenda/formats';
import { OrderLines } from './details';
import type { Order } from './machine';
import { ordersKey } from './queries';

type Props = {
  tenant: string;
  terms: Schemas['BusinessProfile'];
  branches: { id: string; name: string }[];
  branch: string | undefined;
  formats: Formats;
  made: (order: Order) => void;
};

const REST = { conversation_id: null, items: null, redemption_code: null };

/** An order as somebody says it over the telephone: first what it comes to, then it is taken. */
export function NewOrder({ tenant, terms, branches, branch, formats, made }: Props) {
  const t = useTexts();
  const queries = useQueryClient();
  const kinds = (['pickup', 'delivery'] as const).filter((kind) => terms.orders[kind]);
  const form = useForm({
    initialValues: {
      text: '',
      kind: kinds[0] ?? 'pickup',
      branch: branch ?? (branches.length === 1 ? (branches[0]?.id ?? null) : null),
      address: '',
      when: '',
      payment: null as string | null,
      notes: '',
    },
  });
  const [customer, setCustomer] = useState(NOBODY);
  const letGo = useGuard(form.isDirty() || Boolean(customer.lead || customer.name || customer.phone));
  const [onceLead, onceOrder] = [useOnce(), useOnce()];
  const { values } = form;

  const bodyOf = (lead: string | null) => ({
    ...REST,
    text: values.text.trim(),
    order_type: values.kind,
    branch_id: values.branch,
    delivery_address: values.kind === 'delivery' ? values.address.trim() || null : null,
    scheduled_for: values.when || null,
    payment_method: values.payment,
    notes: values.notes.trim() || null,
    lead_id: lead,
    customer_name: customer.name.trim() || null,
  });
  const quoting = useMutation({
    mutationFn: () => told(api.POST('/api/v1/orders/quote', { body: bodyOf(customer.lead) })),
  });
  const placing = useMutation({
    mutationFn: async () => {
      let lead = customer.lead;
      if (customer.isNew && customer.name.trim()) {
        const body = { name: customer.name.trim(), phone: customer.phone.trim() || null };
        lead = (await told(api.POST('/api/v1/leads', { body, params: { header: onceLead(body) } }))).id;
      }
      const body = bodyOf(lead);
      return told(api.POST('/api/v1/orders', { body, params: { header: onceOrder(body) } }));
    },
    onSuccess: async (order) => {
      letGo();
      done(t.orders.taken(order.number));
      await queries.invalidateQueries({ queryKey: ordersKey(tenant) });
      made(order);
    },
  });
  const failure = placing.error ?? quoting.error;
  const errors = fieldErrors(failure);
  // A price is that of what was asked for, and of nothing else.
  const change = () => {
    quoting.reset();
    placing.reset();
  };
  return (
    <form
      onChange={change}
      onSubmit={form.onSubmit(() => (quoting.isSuccess ? placing.mutate() : quoting.mutate()))}
    >
      <Stack>
        <Textarea
          label={t.orders.words}
          description={t.orders.wordsHelp}
          {...UNDER}
          required
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          {...form.getInputProps('text')}
          error={errors.text}
        />
        <Select
          label={t.orders.kind}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: t.orders.kinds[value] }))}
          {...form.getInputProps('kind')}
          onChange={(value) => {
            form.setFieldValue('kind', value === 'delivery' ? 'delivery' : 'pickup');
            change();
          }}
          error={errors.order_type}
        />
        {values.kind === 'delivery' && (
          <Textarea
            label={t.orders.address}
            required
            autosize
            maxLength={500}
            {...form.getInputProps('address')}
            error={errors.delivery_address}
          />
        )}
        {branches.length > 1 && (
          <Select
            label={t.orders.branch}
            required
            data={branches.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('branch')}
            onChange={(value) => {
              form.setFieldValue('branch', value);
              change();
            }}
            error={errors.branch_id}
          />
        )}
        <TextInput
          label={t.orders.wantedFor}
          description={t.orders.wantedHelp}
          {...UNDER}
          type="datetime-local"
          {...form.getInputProps('when')}
          error={errors.scheduled_for}
        />
        <CustomerField
          tenant={tenant}
          customer={customer}
          errors={errors}
          optional
          onChange={(chosen) => {
            setCustomer(chosen);
            change();
          }}
        />
        {terms.payment_methods.length > 0 && (
          <Select
            label={t.orders.payment}
            clearable
            data={[...new Set(terms.payment_methods)]}
            {...form.getInputProps('payment')}
            onChange={(value) => {
              form.setFieldValue('payment', value);
              change();
            }}
            error={errors.payment_method}
          />
        )}
        <Textarea
          label={t.orders.notes}
          autosize
          maxLength={1000}
          {...form.getInputProps('notes')}
          error={errors.notes}
        />
        {failure && <FailureNotice error={failure} />}
        {quoting.isSuccess && (
          <Alert color="teal" title={t.orders.quoteTitle} aria-live="polite">
            <OrderLines lines={quoting.data.lines} totals={quoting.data.totals} formats={formats} />
            <Text size="sm" mt="xs">
              {t.orders.readyAt(formats.moment(quoting.data.estimated_at))}
            </Text>
          </Alert>
        )}
        <Button type="submit" loading={quoting.isPending || placing.isPending}>
          {quoting.isSuccess ? t.orders.take : t.orders.quote}
        </Button>
      </Stack>
    </form>
  );
}
