import { Badge, Group, Paper, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useFormats } from './formats';
import { PartList } from './parts';
import { ordersOfLead } from './queries';

const COLOURS = {
  received: 'ochre',
  preparing: 'teal',
  ready: 'teal',
  out_for_delivery: 'teal',
  completed: 'gray',
  cancelled: 'gray',
} as const;

/** What one customer ordered; orders are moved on where the others are. */
export function CustomerOrders({ tenant, lead }: { tenant: string; lead: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const list = useInfiniteQuery(ordersOfLead(tenant, lead));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <PartList
      list={list}
      empty={rows.length === 0 ? t.customers.noOrders : undefined}
      link={
        <TextLink to="/t/$tenant/orders" params={{ tenant }} size="sm">
          {t.customers.toOrders}
        </TextLink>
      }
    >
      {rows.map((row) => (
        <Paper key={row.id} withBorder p="sm" maw={760}>
          <Group justify="space-between" gap="xs">
            <Text fw={600}>
              {t.customers.orderNumber(row.number)} · {formats.money(row.totals.total)}
            </Text>
            <Badge variant="light" color={COLOURS[row.status]} tt="none">
              {t.customers.orderStatuses[row.status]}
            </Badge>
          </Group>
          <Text size="sm">{row.lines.map((line) => `${line.quantity} × ${line.item.name}`).join(', ')}</Text>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              {[t.customers.orderTypes[row.order_type], row.branch_name, formats.full(row.created_at)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {row.conversation_id && (
              <TextLink
                to="/t/$tenant/conversations/$conversation"
                params={{ tenant, conversation: row.conversation_id }}
                size="sm"
              >
                {t.conversations.seeThread}
              </TextLink>
            )}
          </Group>
        </Paper>
      ))}
    </PartList>
  );
}
