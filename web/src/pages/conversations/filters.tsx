import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { SearchField } from '../../parts/search-field';
import type { InboxSearch } from '../../routes/conversations';
import { agentsOf } from '../agents/queries';
import { CHANNELS } from '../customers/queries';

const HANDOFFS = ['ai', 'pending_human', 'human'] as const;
const STATUSES = ['open', 'closed', 'all'] as const;

/** Which conversations are listed; the address says it. */
export function InboxFilters({ tenant, search }: { tenant: string; search: InboxSearch }) {
  const t = useTexts();
  const navigate = useNavigate();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const change = (changed: InboxSearch) => {
    const next = { ...search, ...changed };
    const known = Object.entries(next).filter(([, value]) => value !== undefined);
    void navigate({ to: '.', search: Object.fromEntries(known) as InboxSearch, replace: true });
  };
  return (
    <SimpleGrid cols={2} spacing={6} verticalSpacing={6} role="group" aria-label={t.conversations.filters}>
      <SearchField
        label={t.customers.searchBy}
        value={search.q}
        change={(q) => change({ q })}
        size="xs"
        style={{ gridColumn: '1 / -1' }}
      />
      <Select
        aria-label={t.conversations.whoAnswers}
        placeholder={t.conversations.whoAnswers}
        data={HANDOFFS.map((value) => ({ value, label: t.conversations.modes[value] }))}
        value={search.handoff ?? null}
        onChange={(value) => change({ handoff: HANDOFFS.find((one) => one === value) })}
        clearable
        size="xs"
      />
      <Select
        aria-label={t.conversations.status}
        data={STATUSES.map((value) => ({ value, label: t.conversations.statuses[value] }))}
        value={search.status ?? 'open'}
        onChange={(value) => change({ status: value === 'closed' || value === 'all' ? value : undefined })}
        allowDeselect={false}
        size="xs"
      />
      <Select
        aria-label={t.customers.channel}
        placeholder={t.customers.channel}
        data={CHANNELS.map((value) => ({ value, label: t.customers.channels[value] }))}
        value={search.channel ?? null}
        onChange={(value) => change({ channel: value ?? undefined })}
        clearable
        size="xs"
      />
      {(agents.length > 1 || search.agent) && (
        <Select
          aria-label={t.conversations.agentFilter}
          placeholder={t.conversations.agentFilter}
          data={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
          value={search.agent ?? null}
          onChange={(value) => change({ agent: value ?? undefined })}
          clearable
          size="xs"
        />
      )}
    </SimpleGrid>
  );
}
