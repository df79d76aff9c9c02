import { Badge, Box, Button, Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import styles from './customers.module.css';
import { columnOf, type Lead, type LeadFilter, type Temperature } from './queries';
import { TemperatureMenu } from './temperature';

/** What is dragged between columns, and nothing else that somebody may drop. */
const DRAGGED = 'application/x-quipu-lead';
/** Cards that a column draws at first, and how many more each time. */
const STEP = 50;
/** Cards that one column may hold; further on there is the list. */
const MOST = 100;

export function BoardColumn({
  tenant,
  filter,
  temperature,
  leaving,
  receive,
}: {
  tenant: string;
  filter: LeadFilter;
  temperature: Temperature | 'none';
  leaving: string | undefined;
  receive: (lead: string) => void;
}) {
  const t = useTexts();
  const title = useId();
  const list = useInfiniteQuery(columnOf(tenant, filter));
  const all = list.data?.pages.flatMap((page) => page.data) ?? [];
  const [most, setMost] = useState(STEP);
  const leads = all.slice(0, Math.min(most, MOST));
  const [over, setOver] = useState(false);
  const isLead = (event: DragEvent) => event.dataTransfer.types.includes(DRAGGED);
  const full = leads.length >= MOST;
  const more = () => {
    setMost(most + STEP);
    if (all.length < most + STEP && list.hasNextPage) void list.fetchNextPage();
  };
  return (
    <Box
      component="section"
      aria-labelledby={title}
      className={styles.column}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!isLead(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const lead = event.dataTransfer.getData(DRAGGED);
        if (!lead) return;
        event.preventDefault();
        if (!all.some((one) => one.id === lead)) receive(lead);
      }}
    >
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id={title}>
          {t.customers.temperatures[temperature]}
        </Title>
        {list.isSuccess && (
          <Badge variant="light" color="gray">
            {list.hasNextPage ? `${all.length}+` : all.length}
          </Badge>
        )}
      </Group>
      <div className={styles.cards}>
        {list.isPending && <ListSkeleton rows={3} />}
        {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
        {list.isSuccess && leads.length === 0 && !list.hasNextPage && (
          <Text size="sm" c="dimmed">
            {t.customers.nobodyHere}
          </Text>
        )}
        {leads.map((lead) => (
          <BoardCard key={lead.id} tenant={tenant} lead={lead} leaving={lead.id === leaving} />
        ))}
        {(list.hasNextPage || all.length > most) && !full && (
          <Button variant="subtle" size="xs" loading={list.isFetchingNextPage} onClick={more}>
            {t.common.more}
          </Button>
        )}
        {full && (list.hasNextPage || all.length > MOST) && (
          <TextLink to="/t/$tenant/customers" params={{ tenant }} search={{ ...filter }} size="sm">
            {t.customers.restInList}
          </TextLink>
        )}
      </div>
    </Box>
  );
}

function BoardCard({ tenant, lead, leaving }: { tenant: string; lead: Lead; leaving: boolean }) {
  const t = useTexts();
  const name = lead.name ?? t.customers.unnamed;
  const reached = lead.phone ?? lead.email ?? lead.identities[0]?.external_id;
  return (
    <article
      className={styles.card}
      draggable
      data-leaving={leaving || undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED, lead.id);
        event.dataTransfer.effectAllowed = 'move';
      }}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <TextLink
          to="/t/$tenant/customers/$lead"
          params={{ tenant, lead: lead.id }}
          fw={600}
          size="sm"
          truncate
        >
          {name}
        </TextLink>
        <TemperatureMenu tenant={tenant} lead={lead.id} name={name} temperature={lead.temperature} plain />
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {reached}
      </Text>
    </article>
  );
}
