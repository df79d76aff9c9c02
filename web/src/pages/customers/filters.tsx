import { Box, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { SearchField } from '../../parts/search-field';
import type { CustomersSearch } from '../../routes/customers';
import { agentsOf } from '../agents/queries';
import styles from './customers.module.css';
import { CHANNELS, TEMPERATURES } from './queries';

export function CustomerFilters({
  tenant,
  search,
  change,
}: {
  tenant: string;
  search: CustomersSearch;
  change: (changed: CustomersSearch) => void;
}) {
  const t = useTexts();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const { channel } = search;
  return (
    <Box className={styles.filters} role="search">
      <SearchField label={t.customers.searchBy} value={search.q} change={(q) => change({ q })} />
      {search.view !== 'board' && (
        <Select
          aria-label={t.customers.temperature}
          placeholder={t.customers.temperature}
          data={[...TEMPERATURES, 'none' as const].map((value) => ({
            value,
            label: t.customers.temperatures[value],
          }))}
          value={search.temperature ?? null}
          onChange={(value) => change({ temperature: value ?? undefined })}
          clearable
        />
      )}
      <Select
        aria-label={t.customers.agent}
        placeholder={t.customers.agent}
        data={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
        value={search.agent ?? null}
        onChange={(value) => change({ agent: value ?? undefined })}
        clearable
      />
      <Select
        aria-label={t.customers.channel}
        placeholder={t.customers.channel}
        data={CHANNELS.map((value) => ({ value, label: t.customers.channels[value] }))}
        value={channel ?? null}
        onChange={(value) => change({ channel: value ?? undefined, id: undefined })}
        clearable
      />
      {channel && (
        <SearchField
          label={t.customers.exactId(t.customers.channels[channel])}
          value={search.id}
          change={(id) => change({ id })}
        />
      )}
    </Box>
  );
}
