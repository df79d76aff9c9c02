import { Anchor, Loader, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { UNDER } from './asking';
import { customersOf } from './queries';

export type Customer = { lead: string | null; isNew: boolean; name: string; phone: string };
export const NOBODY: Customer = { lead: null, isNew: false, name: '', phone: '' };

type Props = {
  tenant: string;
  customer: Customer;
  errors: Record<string, string>;
  /** Whether it may be nobody. */
  optional?: boolean;
  onChange: (customer: Customer) => void;
};

/** Somebody who is known, by name, e-mail or telephone, or somebody new. */
export function CustomerField({ tenant, customer, errors, optional = false, onChange }: Props) {
  const t = useTexts();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  // What stands in the field once somebody was chosen is no question.
  const [q] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 250);
  const found = useQuery({ ...customersOf(tenant, q), placeholderData: keepPreviousData });
  const turn = (isNew: boolean) => (
    <Anchor component="button" type="button" size="sm" onClick={() => onChange({ ...NOBODY, isNew })}>
      {isNew ? t.agenda.newCustomer : t.agenda.knownCustomer}
    </Anchor>
  );
  if (customer.isNew)
    return (
      <>
        <TextInput
          label={t.agenda.customerName}
          required
          maxLength={120}
          data-autofocus
          value={customer.name}
          error={errors.name ?? errors.customer_name}
          onChange={(event) => onChange({ ...customer, name: event.currentTarget.value })}
        />
        <TextInput
          label={t.agenda.phone}
          description={t.agenda.phoneHelp}
          {...UNDER}
          type="tel"
          maxLength={40}
          value={customer.phone}
          error={errors.phone}
          onChange={(event) => onChange({ ...customer, phone: event.currentTarget.value })}
        />
        <div>{turn(false)}</div>
      </>
    );
  const people = found.data?.data ?? [];
  const options = people.map((lead) => {
    const name = lead.name ?? t.agenda.noName;
    const contact = lead.phone ?? lead.email;
    return { value: lead.id, label: contact ? `${name} · ${contact}` : name };
  });
  if (chosen && !options.some(({ value }) => value === chosen.value)) options.push(chosen);
  return (
    <div>
      <Select
        label={t.agenda.customer}
        placeholder={t.agenda.findCustomer}
        searchable
        clearable
        withAsterisk={!optional}
        openOnFocus={false}
        data-autofocus={optional ? undefined : true}
        // The server has searched already, also by e-mail and telephone.
        filter={({ options: all }) => all}
        data={options}
        value={customer.lead}
        onChange={(lead) => {
          const one = people.find((person) => person.id === lead);
          setChosen(options.find(({ value }) => value === lead));
          onChange({ ...NOBODY, lead, name: one?.name ?? '' });
        }}
        searchValue={typed}
        onSearchChange={setTyped}
        nothingFoundMessage={t.agenda.nobodyFound}
        rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
        error={errors.lead_id}
      />
      {turn(true)}
    </div>
  );
}
