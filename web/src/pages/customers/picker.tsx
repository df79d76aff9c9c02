import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { foundLeads, type Lead } from './queries';

/** Somebody who is known, by name, e-mail or telephone. */
export function CustomerPicker({
  tenant,
  label,
  placeholder,
  nobody,
  chosen,
  without,
  focus = false,
  choose,
}: {
  tenant: string;
  label: string;
  placeholder: string;
  nobody: string;
  chosen: Lead | undefined;
  /** Who cannot be chosen. */
  without?: string;
  focus?: boolean;
  choose: (lead: Lead | undefined) => void;
}) {
  const t = useTexts();
  const [typed, setTyped] = useState('');
  const optionOf = (lead: Lead) => {
    const contact = lead.phone ?? lead.email ?? lead.identities[0]?.external_id;
    const name = lead.name ?? t.customers.unnamed;
    return { value: lead.id, label: contact ? `${name} · ${contact}` : name };
  };
  // What stands in the field once somebody was chosen is no question.
  const asked = chosen && typed === optionOf(chosen).label ? '' : typed.trim();
  const [q] = useDebouncedValue(asked, 250);
  const found = useQuery({ ...foundLeads(tenant, q), placeholderData: keepPreviousData });
  const people = (found.data?.data ?? []).filter((lead) => lead.id !== without);
  const options = people.map(optionOf);
  if (chosen && !options.some(({ value }) => value === chosen.id)) options.push(optionOf(chosen));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      clearable
      openOnFocus={false}
      data-autofocus={focus || undefined}
      // The server has searched already, also by e-mail and telephone.
      filter={({ options: all }) => all}
      data={options}
      value={chosen?.id ?? null}
      onChange={(id) => choose(people.find((lead) => lead.id === id))}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={nobody}
      rightSection={found.isFetching ? <Loader size="xs" /> : undefined}
    />
  );
}
