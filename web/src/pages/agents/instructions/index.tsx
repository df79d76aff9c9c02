import { Alert, Box, Button, Group, Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { type AgentSearch, INSTRUCTION_TYPES, SHOWN } from '../../../routes/agents';
import { PagedList } from '../../settings/parts/paged-list';
import { matcher, SearchBox } from '../../settings/parts/search-box';
import { useRights } from '../../settings/rights';
import { branchesOf, type Instruction, instructionPages } from '../queries';
import { InstructionDrawer } from './drawer';
import { PromptRoom } from './room';
import { InstructionRow } from './row';
import { TableMenu } from './table';

export type Edited = Instruction | 'new' | undefined;

/** Which of the instructions that are here are wanted. The server only knows which are active. */
function wanted({ q, type, show }: AgentSearch): ((item: Instruction) => boolean) | undefined {
  const says = matcher<Instruction>(q, (item) => `${item.title} ${item.content}`);
  if (!says && !type && show !== 'prompt') return undefined;
  return (item) =>
    (!says || says(item)) &&
    (!type || item.type === type) &&
    (show !== 'prompt' || item.include_in_prompt === true);
}

/** What the business tells all of its agents. */
export function InstructionsTab({ tenant }: { tenant: string }) {
  const t = useTexts();
  const words = t.agents.rules;
  const search = useSearch({ from: '/inside/t/$tenant/agents/$agent' });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const { may } = useRights(tenant);
  const [edited, setEdited] = useState<Edited>();
  const active = search.show ? search.show !== 'paused' : undefined;
  const list = useInfiniteQuery(instructionPages(tenant, active));
  const branches = useQuery(branchesOf(tenant)).data?.data ?? [];
  const look = (change: Partial<AgentSearch>) => {
    const { tab: _, ...rest } = { ...search, ...change };
    const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
    void navigate({ search: { tab: 'instructions', ...kept }, replace: true });
  };
  const create = <Button onClick={() => setEdited('new')}>{words.create}</Button>;
  const changes = may('business:write');
  const isFiltered = Boolean(search.q || search.type || search.show);
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Alert color="teal" p="xs" flex="1 1 260px">
          {words.shared}
        </Alert>
        <Group gap="xs">
          <TableMenu tenant={tenant} changes={changes} />
          {changes && create}
        </Group>
      </Group>
      <PromptRoom tenant={tenant} />
      <Group gap="xs" align="flex-end">
        <Box flex="1 1 220px" maw={{ xs: 320 }}>
          <SearchBox value={search.q} change={(q) => look({ q: q ?? '' })} />
        </Box>
        <Select
          aria-label={words.type}
          placeholder={words.allTypes}
          data={INSTRUCTION_TYPES.map((value) => ({ value, label: words.types[value] }))}
          clearable
          clearButtonProps={{ 'aria-label': words.allTypes }}
          flex="1 1 140px"
          maw={{ xs: 200 }}
          value={search.type ?? null}
          onChange={(type) => look({ type: type as AgentSearch['type'] })}
        />
        <Select
          aria-label={words.show}
          data={[
            { value: 'all', label: words.shows.all },
            ...SHOWN.map((value) => ({ value, label: words.shows[value] })),
          ]}
          allowDeselect={false}
          flex="1 1 120px"
          maw={{ xs: 160 }}
          value={search.show ?? 'all'}
          onChange={(show) => look({ show: show === 'all' ? undefined : (show as AgentSearch['show']) })}
        />
      </Group>
      <PagedList
        label={words.list}
        list={list}
        keyOf={(item) => item.id}
        matches={wanted(search)}
        empty={
          isFiltered ? (
            <EmptyState title={t.settings.nothingFound} text={t.settings.nothingFoundText} />
          ) : (
            <EmptyState
              title={words.emptyTitle}
              text={words.emptyText}
              action={changes ? create : undefined}
            />
          )
        }
        render={(item) => (
          <InstructionRow
            tenant={tenant}
            item={item}
            branch={
              item.branch_id
                ? (branches.find((one) => one.id === item.branch_id)?.name ?? words.unknownBranch)
                : undefined
            }
            changes={changes}
            edit={() => setEdited(item)}
          />
        )}
      />
      <InstructionDrawer
        tenant={tenant}
        edited={edited}
        branches={branches}
        close={() => setEdited(undefined)}
      />
    </Stack>
  );
}
