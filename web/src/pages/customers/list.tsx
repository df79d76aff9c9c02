import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { CustomerColumn } from '../../routes/customers';
import { agentsOf } from '../agents/queries';
import { useNewest } from '../conversations/newest';
import { newestFirst } from '../conversations/queries';
import styles from './customers.module.css';
import { useFormats } from './formats';
import { type Lead, type LeadFilter, leadsKey, leadsOf, loadLeads } from './queries';
import { TemperatureMenu } from './temperature';

/** Customers, newest first; only those in sight are drawn. */
export function CustomerList({
  tenant,
  filter,
  columns,
  create,
  clear,
}: {
  tenant: string;
  filter: LeadFilter;
  columns: CustomerColumn[];
  create: () => void;
  clear: () => void;
}) {
  const t = useTexts();
  const options = leadsOf(tenant, filter);
  const list = useInfiniteQuery(options);
  useNewest({
    listKey: options.queryKey,
    newestKey: [...leadsKey(tenant), 'newest', filter],
    load: () => loadLeads(filter),
    compare: newestFirst,
    enabled: list.isSuccess,
  });
  const leads = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: leads.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => leads[at]?.id ?? at,
    estimateSize: () => 64,
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    const near = leads.length > 0 && last >= leads.length - 8;
    if (near && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [last, leads.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const wide = useMediaQuery('(min-width: 62em)') ?? true;
  const filtered = Object.keys(filter).length > 0;
  if (list.isPending) return <ListSkeleton rows={8} />;
  if (list.isError && leads.length === 0) return <FailureNotice error={list.error} again={list.refetch} />;
  const more = (
    <Button variant="default" fullWidth loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
      {t.common.more}
    </Button>
  );
  if (leads.length === 0)
    return (
      <EmptyState
        title={filtered ? t.customers.nothingFound : t.customers.emptyTitle}
        text={filtered ? t.customers.nothingFoundText : t.customers.emptyText}
        action={
          // Only so many were looked through at once.
          hasNextPage ? (
            more
          ) : filtered ? (
            <Button variant="default" onClick={clear}>
              {t.customers.clearFilters}
            </Button>
          ) : (
            <Button onClick={create}>{t.customers.create}</Button>
          )
        }
      />
    );
  return (
    <Box ref={scroller} className={styles.list} role="region" aria-label={t.customers.title} tabIndex={0}>
      {wide && <ColumnHeads columns={columns} />}
      <Box h={virtual.getTotalSize()} pos="relative">
        {shown.map((item) => {
          const lead = leads[item.index];
          if (!lead) return null;
          return (
            <Box
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              pos="absolute"
              top={0}
              w="100%"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <CustomerRow tenant={tenant} lead={lead} columns={columns} wide={wide} />
            </Box>
          );
        })}
      </Box>
      {hasNextPage && more}
    </Box>
  );
}

/** What is longer than the rest and says nothing when it is cut. */
const WIDER: CustomerColumn[] = ['phone', 'email'];

/** As many columns as are told, the name first and the temperature last. */
const gridOf = (columns: CustomerColumn[]) => ({
  gridTemplateColumns: `minmax(150px, 1.6fr) ${columns.map((one) => `minmax(0, ${WIDER.includes(one) ? 1.4 : 1}fr)`).join(' ')} 110px`,
});

/** What stands in which column. The rows say it themselves to whoever hears them. */
function ColumnHeads({ columns }: { columns: CustomerColumn[] }) {
  const t = useTexts();
  return (
    <Box className={styles.heads} style={gridOf(columns)} aria-hidden>
      {[t.joining.customer, ...columns.map((one) => t.joining.columnNames[one]), t.joining.temperature].map(
        (name) => (
          <Text key={name} size="xs" fw={600} c="dimmed" truncate>
            {name}
          </Text>
        ),
      )}
    </Box>
  );
}

function CustomerRow({
  tenant,
  lead,
  columns,
  wide,
}: {
  tenant: string;
  lead: Lead;
  columns: CustomerColumn[];
  wide: boolean;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const agents = useQuery(agentsOf(tenant)).data?.data;
  const name = lead.name ?? t.customers.unnamed;
  const channels = [...new Set(lead.identities.map((identity) => t.customers.channels[identity.channel]))];
  const told: Record<CustomerColumn, string | null | undefined> = {
    phone: lead.phone,
    email: lead.email,
    channels: channels.join(', '),
    agent: agents?.find((one) => one.id === lead.agent_id)?.name,
    tags: lead.tags.join(', '),
    points: lead.token_balance > 0 ? formats.count(lead.token_balance) : '',
    since: formats.brief(lead.created_at),
  };
  const link = (
    <TextLink
      to="/t/$tenant/customers/$lead"
      params={{ tenant, lead: lead.id }}
      fw={600}
      className={styles.cover}
      truncate={wide ? 'end' : undefined}
    >
      {name}
    </TextLink>
  );
  const menu = <TemperatureMenu tenant={tenant} lead={lead.id} name={name} temperature={lead.temperature} />;
  if (wide)
    return (
      <Box className={`${styles.row} ${styles.grid}`} style={gridOf(columns)}>
        {link}
        {columns.map((column) =>
          column === 'tags' ? (
            <Group key={column} gap={4} wrap="nowrap" style={{ overflow: 'hidden' }}>
              {lead.tags.slice(0, 2).map((tag) => (
                <Badge key={tag} variant="outline" color="gray" size="sm" tt="none">
                  {tag}
                </Badge>
              ))}
            </Group>
          ) : (
            <Text key={column} size="sm" c="dimmed" truncate title={told[column] || undefined}>
              {told[column]}
            </Text>
          ),
        )}
        <Box pos="relative">{menu}</Box>
      </Box>
    );
  const facts = columns.map((column) => told[column]).filter(Boolean);
  return (
    <Group className={styles.row} justify="space-between" wrap="nowrap" gap="xs">
      <Box miw={0}>
        {link}
        <Text size="sm" c="dimmed" truncate>
          {facts.join(' · ')}
        </Text>
      </Box>
      <Box pos="relative" flex="none">
        {menu}
      </Box>
    </Group>
  );
}
