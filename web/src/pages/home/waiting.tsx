import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDates, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { newOrders, proposedAnswers, SHOWN, waitingConversations } from './queries';

/** What waits for a person now. */
export function WaitingList({ tenant }: { tenant: string }) {
  const t = useTexts();
  const dates = useDates();
  const conversations = useQuery(waitingConversations(tenant));
  const orders = useQuery(newOrders(tenant));
  const answers = useQuery(proposedAnswers(tenant));
  const failed = [conversations, orders, answers].find((query) => query.isError);
  if (failed) return <FailureNotice error={failed.error} again={() => failed.refetch()} />;
  if (!conversations.data || !orders.data || !answers.data) return <ListSkeleton />;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <WaitingCard
        title={t.home.waitingPeople}
        count={conversations.data.data.length}
        none={t.home.nobodyWaits}
      >
        {conversations.data.data.slice(0, SHOWN).map((row) => (
          <TextLink
            key={row.id}
            to="/t/$tenant/conversations/$conversation"
            params={{ tenant, conversation: row.id }}
            size="sm"
            truncate
          >
            {row.lead_name ?? t.customers.unnamed} · {row.handoff.reason ?? row.last_message?.text ?? ''}
          </TextLink>
        ))}
      </WaitingCard>
      <WaitingCard title={t.home.newOrders} count={orders.data.data.length} none={t.home.noOrders}>
        {orders.data.data.slice(0, SHOWN).map((order) => (
          <TextLink
            key={order.id}
            to="/t/$tenant/orders"
            params={{ tenant }}
            search={{ order: order.id }}
            size="sm"
            truncate
          >
            #{order.number} · {order.customer_name ?? dates(order.created_at)}
          </TextLink>
        ))}
      </WaitingCard>
      <WaitingCard title={t.home.proposed} count={answers.data.data.length} none={t.home.nothingProposed}>
        {answers.data.data.slice(0, SHOWN).map((answer) => (
          <Text key={answer.id} size="sm" truncate>
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
        ))}
      </WaitingCard>
    </SimpleGrid>
  );
}

function WaitingCard({
  title,
  count,
  none,
  children,
}: {
  title: string;
  count: number;
  none: string;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Badge variant={count > 0 ? 'filled' : 'light'} color={count > 0 ? 'ochre.8' : 'gray'}>
            {count > SHOWN ? `${SHOWN}+` : count}
          </Badge>
        </Group>
        {count === 0 ? (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        ) : (
          children
        )}
      </Stack>
    </Paper>
  );
}
