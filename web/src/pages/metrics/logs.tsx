import { Badge, Button, Stack, Table, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { agentsOf } from '../agents/queries';
import type { Formats } from '../settings/formats';
import { Trouble } from '../settings/parts/refusal';
import { callsOf, searchesOf } from './queries';

/** More than this nobody reads in a table of what is recent. */
const MOST = 200;

/** What was searched for and what tools did, the latest first. */
export function RecentLogs({
  tenant,
  agent,
  formats,
  talk,
}: {
  tenant: string;
  agent: Schemas['Agent'];
  formats: Formats;
  talk: ReactNode;
}) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/figures' });
  const { log } = useSearch({ from: '/inside/t/$tenant/figures' });
  return (
    <Tabs
      value={log ?? 'searches'}
      onChange={(value) =>
        navigate({
          search: (old) => ({ ...old, log: value === 'tools' ? 'tools' : undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      keepMounted={false}
    >
      <Tabs.List>
        <Tabs.Tab value="searches">{t.metrics.recentSearches}</Tabs.Tab>
        <Tabs.Tab value="tools">{t.metrics.recentTools}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="searches" pt="sm">
        <SearchTable tenant={tenant} agent={agent.id} formats={formats} talk={talk} />
      </Tabs.Panel>
      <Tabs.Panel value="tools" pt="sm">
        <ToolTable tenant={tenant} formats={formats} talk={talk} />
      </Tabs.Panel>
    </Tabs>
  );
}

function SearchTable({
  tenant,
  agent,
  formats,
  talk,
}: {
  tenant: string;
  agent: string;
  formats: Formats;
  talk: ReactNode;
}) {
  const t = useTexts();
  const list = useInfiniteQuery(searchesOf(tenant, agent));
  const rows = list.data?.pages.flatMap((page) => page.data).slice(0, MOST) ?? [];
  const { columns } = t.metrics;
  return (
    <LogFrame
      list={list}
      count={rows.length}
      head={[columns.question, columns.found, columns.relevance, columns.time, columns.at]}
      label={t.metrics.recentSearches}
      empty={<EmptyState title={t.metrics.noSearches} text={t.metrics.noSearchesText} action={talk} />}
    >
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
            {row.query ?? t.metrics.unseenWords}
            {row.degraded && (
              <Badge ml={6} size="xs" variant="light" color="ochre">
                {t.metrics.incomplete}
              </Badge>
            )}
          </Table.Td>
          <Table.Td>
            {row.chunk_ids.length === 0 ? (
              <Text span size="sm" c="ochre">
                {t.metrics.nothing}
              </Text>
            ) : (
              t.metrics.passages(row.chunk_ids.length, formats.number(row.total_chunks_searched))
            )}
          </Table.Td>
          <Table.Td>{row.chunk_ids.length > 0 ? formats.percent(row.mean_similarity) : '–'}</Table.Td>
          <Table.Td>{formats.duration(row.latency_ms)}</Table.Td>
          <Table.Td>{formats.date(row.created_at)}</Table.Td>
        </Table.Tr>
      ))}
    </LogFrame>
  );
}

function ToolTable({ tenant, formats, talk }: { tenant: string; formats: Formats; talk: ReactNode }) {
  const t = useTexts();
  const list = useInfiniteQuery(callsOf(tenant));
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const rows = list.data?.pages.flatMap((page) => page.data).slice(0, MOST) ?? [];
  const tools: Record<string, string> = t.metrics.tools;
  const { columns } = t.metrics;
  return (
    <LogFrame
      list={list}
      count={rows.length}
      head={[columns.tool, columns.agent, columns.outcome, columns.time, columns.at]}
      label={t.metrics.recentTools}
      empty={<EmptyState title={t.metrics.noTools} text={t.metrics.noToolsText} action={talk} />}
    >
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td>{tools[row.tool] ?? row.tool}</Table.Td>
          <Table.Td>{agents.find((agent) => agent.id === row.agent_id)?.name ?? '–'}</Table.Td>
          <Table.Td>
            <Badge size="sm" variant="light" color={row.error_code ? 'ochre' : 'teal'}>
              {row.error_code ?? t.metrics.done}
            </Badge>
          </Table.Td>
          <Table.Td>{formats.duration(row.elapsed_ms)}</Table.Td>
          <Table.Td>{formats.date(row.created_at)}</Table.Td>
        </Table.Tr>
      ))}
    </LogFrame>
  );
}

type Pages = {
  isPending: boolean;
  isLoadingError: boolean;
  error: unknown;
  refetch: () => void;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => void;
};

function LogFrame({
  list,
  count,
  head,
  label,
  empty,
  children,
}: {
  list: Pages;
  count: number;
  head: string[];
  label: string;
  empty: ReactNode;
  children: ReactNode;
}) {
  const t = useTexts();
  if (list.isPending) return <ListSkeleton rows={3} />;
  if (list.isLoadingError) return <Trouble error={list.error} again={list.refetch} />;
  if (count === 0) return empty;
  return (
    <Stack gap="sm">
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="sm" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {head.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {list.hasNextPage && count < MOST && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}
