import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useDates, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { gapsOf } from '../gaps/queries';
import { basesOf } from '../knowledge/queries';
import { arrivingOf } from '../orders/queries';
import { useRights } from '../settings/rights';
import { failedDocuments, proposedAnswers, SHOWN, waitingConversations } from './queries';

/** What waits for a person now, as far as whoever looks may do something about it. */
export function WaitingList({ tenant }: { tenant: string }) {
  const { may } = useRights(tenant);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      <WaitingPeople tenant={tenant} />
      <WaitingOrders tenant={tenant} />
      {may('business:write') && <ProposedAnswers tenant={tenant} />}
      {may('knowledge:write') && <FailedDocuments tenant={tenant} />}
      {may('business:write') && <OpenGaps tenant={tenant} />}
    </SimpleGrid>
  );
}

function WaitingPeople({ tenant }: { tenant: string }) {
  const t = useTexts();
  const found = useQuery(waitingConversations(tenant));
  return (
    <WaitingCard
      title={t.home.waitingPeople}
      none={t.home.nobodyWaits}
      found={found}
      rows={found.data?.data}
      row={(one) => (
        <TextLink
          to="/t/$tenant/conversations/$conversation"
          params={{ tenant, conversation: one.id }}
          size="sm"
          truncate
        >
          {one.lead_name ?? t.customers.unnamed} · {one.handoff.reason ?? one.last_message?.text ?? ''}
        </TextLink>
      )}
    />
  );
}

function WaitingOrders({ tenant }: { tenant: string }) {
  const t = useTexts();
  const dates = useDates();
  const found = useQuery(arrivingOf(tenant));
  return (
    <WaitingCard
      title={t.home.newOrders}
      none={t.home.noOrders}
      found={found}
      rows={found.data?.data}
      row={(order) => (
        <TextLink to="/t/$tenant/orders" params={{ tenant }} search={{ order: order.id }} size="sm" truncate>
          #{order.number} · {order.customer_name ?? dates(order.created_at)}
        </TextLink>
      )}
    />
  );
}

function ProposedAnswers({ tenant }: { tenant: string }) {
  const t = useTexts();
  const found = useQuery(proposedAnswers(tenant));
  return (
    <WaitingCard
      title={t.home.proposed}
      none={t.home.nothingProposed}
      found={found}
      rows={found.data?.data}
      row={(answer) => (
        <Text size="sm" truncate>
          {answer.conversation_id ? (
            <TextLink
              to="/t/$tenant/conversations/$conversation"
              params={{ tenant, conversation: answer.conversation_id }}
            >
              {answer.question}
            </TextLink>
          ) : (
            answer.question
          )}
        </Text>
      )}
    />
  );
}

function FailedDocuments({ tenant }: { tenant: string }) {
  const t = useTexts();
  const bases = useQuery(basesOf(tenant));
  const failed = useQuery({
    ...failedDocuments(tenant, bases.data?.data ?? []),
    enabled: bases.isSuccess,
  });
  const found = bases.isError ? bases : failed;
  return (
    <WaitingCard
      title={t.home.failedDocuments}
      none={t.home.nothingFailed}
      found={found}
      rows={failed.data?.map((base) => ({ ...base, id: base.kb }))}
      count={String(failed.data?.reduce((sum, base) => sum + base.count, 0) ?? 0)}
      row={(base) => (
        <TextLink
          to="/t/$tenant/knowledge/$kb"
          params={{ tenant, kb: base.kb }}
          search={{ status: 'failed' }}
          size="sm"
          truncate
        >
          {base.name} · {t.home.failedIn(base.count)}
        </TextLink>
      )}
    />
  );
}

function OpenGaps({ tenant }: { tenant: string }) {
  const t = useTexts();
  // The server gathers them from all that was asked, so that it is not asked each time.
  const found = useQuery({ ...gapsOf(tenant, {}), staleTime: 60_000 });
  return (
    <WaitingCard
      title={t.home.gaps}
      none={t.home.noGaps}
      found={found}
      rows={found.data?.data}
      row={(gap) => (
        <TextLink to="/t/$tenant/gaps" params={{ tenant }} search={{ gap: gap.id }} size="sm" truncate>
          {gap.question}
        </TextLink>
      )}
    />
  );
}

/** More than a card shows is not counted: a server tells only so many at once. */
const shortly = (count: number) => (count > SHOWN ? `${SHOWN}+` : String(count));

function WaitingCard<T extends { id: string }>({
  title,
  none,
  found,
  rows,
  count = shortly(rows?.length ?? 0),
  row,
}: {
  title: string;
  none: string;
  found: Pick<UseQueryResult, 'error' | 'isError' | 'refetch'>;
  rows: T[] | undefined;
  /** Where a row stands for several. */
  count?: string | undefined;
  row: (one: T) => ReactNode;
}) {
  const some = rows !== undefined && rows.length > 0;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5">
            {title}
          </Title>
          {rows && (
            <Badge variant={some ? 'filled' : 'light'} color={some ? 'ochre.8' : 'gray'}>
              {count}
            </Badge>
          )}
        </Group>
        {!rows && found.isError && <FailureNotice error={found.error} again={() => found.refetch()} />}
        {!rows && !found.isError && <ListSkeleton rows={2} />}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        )}
        {rows?.slice(0, SHOWN).map((one) => (
          <Fragment key={one.id}>{row(one)}</Fragment>
        ))}
      </Stack>
    </Paper>
  );
}
