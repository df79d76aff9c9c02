import { Alert, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ButtonLink } from '../../../parts/links';
import { failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { type AgentSearch, RESULTS } from '../../../routes/agents';
import { useFormats } from '../../customers/formats';
import { PagedList } from '../../settings/parts/paged-list';
import { useRights } from '../../settings/rights';
import type { Agent } from '../queries';
import { resultPages, runOf, useRehearsalStop } from './queries';
import { ResultRow } from './result';
import { isUnderWay, RunSummary } from './summary';

type Props = { tenant: string; agent: Agent; id: string };

/** The answers of a rehearsal, each beside the one before. */
export function RunView({ tenant, agent, id }: Props) {
  const t = useTexts();
  const words = t.rehearsals;
  const { may } = useRights(tenant);
  const formats = useFormats(tenant);
  const found = useQuery(runOf(tenant, agent.id, id));
  const stopping = useRehearsalStop(tenant, agent.id, id);
  const run = found.data;
  return (
    <Stack>
      <Group>
        <ButtonLink
          from="/t/$tenant/agents/$agent"
          to="."
          search={{ tab: 'rehearsals' }}
          variant="subtle"
          size="compact-sm"
        >
          ← {words.back}
        </ButtonLink>
      </Group>
      {found.isPending && <ListSkeleton rows={2} />}
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {run && (
        <Paper withBorder p="md">
          <Group justify="space-between" align="flex-start">
            <div style={{ flex: '1 1 240px' }}>
              <Text fw={600} mb={4}>
                {formats.full(run.created_at)}
              </Text>
              <RunSummary tenant={tenant} run={run} />
            </div>
            {may('agents:write') && isUnderWay(run) && (
              <Button
                variant="default"
                size="xs"
                loading={stopping.isPending}
                onClick={() => stopping.mutate(undefined, { onError: failed })}
              >
                {words.stop}
              </Button>
            )}
          </Group>
        </Paper>
      )}
      {may('customers:read') ? (
        <ResultList tenant={tenant} agent={agent} id={id} />
      ) : (
        <Alert color="ochre">{words.onlyCustomers}</Alert>
      )}
    </Stack>
  );
}

function ResultList({ tenant, agent, id }: Props) {
  const t = useTexts();
  const words = t.rehearsals;
  const { only } = useSearch({ from: '/inside/t/$tenant/agents/$agent' });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const { may } = useRights(tenant);
  const list = useInfiniteQuery(resultPages(tenant, agent.id, id, only));
  const look = (value: string | null) => {
    const wanted = RESULTS.find((one) => one === value);
    const search: AgentSearch = { tab: 'rehearsals', run: id, ...(wanted ? { only: wanted } : {}) };
    void navigate({ search, replace: true });
  };
  return (
    <>
      <Select
        label={words.show}
        data={(['all', ...RESULTS] as const).map((value) => ({ value, label: words.shows[value] }))}
        allowDeselect={false}
        maw={280}
        value={only ?? 'all'}
        onChange={look}
      />
      <PagedList
        label={words.results}
        list={list}
        keyOf={(result) => result.id}
        empty={<EmptyState title={words.noResults} text={words.noResultsText} />}
        render={(result) => (
          <ResultRow tenant={tenant} agent={agent.id} result={result} changes={may('agents:write')} />
        )}
      />
    </>
  );
}
