import { Badge, Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import type { Formats } from '../agenda/formats';
import { HistoryList } from '../agenda/history';
import { CustomerName } from './customer';
import { COLOURS, isEnded, nextOf, type Order, type Status } from './machine';

type Props = {
  tenant: string;
  order: Schemas['OrderDetails'];
  formats: Formats;
  zone: string | undefined;
  step: (order: Order, status: Status) => void;
};

/** One order: what it is made of, where it goes, what can become of it and what became of it. */
export function OrderDetails({ tenant, order, formats, zone, step }: Props) {
  const t = useTexts();
  return (
    <Stack>
      <Group gap="xs">
        <Badge variant="light" color={COLOURS[order.status]}>
          {t.orders.statuses[order.status]}
        </Badge>
        <Badge variant="light" color="gray">
          {t.orders.kinds[order.order_type]}
        </Badge>
      </Group>
      {!isEnded(order.status) && (
        <Group gap="xs">
          {nextOf(order).map((next, at) => (
            <Button
              key={next}
              size="sm"
              variant={at === 0 ? 'filled' : 'default'}
              onClick={() => step(order, next)}
            >
              {t.orders.steps[next]}
            </Button>
          ))}
          <Button size="sm" variant="light" color="red" onClick={() => step(order, 'cancelled')}>
            {t.orders.cancel}
          </Button>
        </Group>
      )}
      <Divider />
      <OrderLines lines={order.lines} totals={order.totals} formats={formats} />
      <Divider />
      <Facts tenant={tenant} order={order} formats={formats} zone={zone} />
      <Divider />
      <Title order={3} size="h5">
        {t.orders.history}
      </Title>
      <HistoryList
        tenant={tenant}
        entries={order.history}
        actions={t.orders.statuses}
        formats={formats}
        zone={zone}
      />
    </Stack>
  );
}

type LinesProps = { lines: Schemas['OrderLine'][]; totals: Schemas['Totals']; formats: Formats };

/** What is in an order and what it comes to. */
export function OrderLines({ lines, totals, formats }: LinesProps) {
  const t = useTexts();
  const { total, delivery, discount, subtotal } = totals;
  const plain = delivery.amount === 0 && discount.amount === 0;
  return (
    <Stack gap="xs">
      {lines.map((line, at) => {
        const extras = line.options.reduce((sum, { extra }) => sum + extra.amount, 0);
        const amount = line.quantity * (line.price.amount + extras);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
          <div key={at}>
            <Sum
              label={`${line.quantity} × ${line.item.name}`}
              value={formats.money({ ...line.price, amount })}
            />
            {line.options.map(({ group, choice, extra }) => (
              <Text key={group + choice} size="sm" c="dimmed" pl="md">
                {group}: {choice}
                {extra.amount > 0 && ` (+${formats.money(extra)})`}
              </Text>
            ))}
            {line.notes.map((note) => (
              <Text key={note} size="sm" c="dimmed" pl="md">
                «{note}»
              </Text>
            ))}
          </div>
        );
      })}
      <Divider variant="dashed" />
      {!plain && <Sum label={t.orders.subtotal} value={formats.money(subtotal)} />}
      {discount.amount > 0 && (
        <Sum label={t.orders.discount} value={formats.money({ ...discount, amount: -discount.amount })} />
      )}
      {delivery.amount > 0 && <Sum label={t.orders.delivery} value={formats.money(delivery)} />}
      <Sum strong label={t.orders.total} value={formats.money(total)} />
    </Stack>
  );
}

function Sum({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Text size="sm" fw={strong ? 700 : 500}>
        {label}
      </Text>
      <Text size="sm" fw={strong ? 700 : 400} style={{ whiteSpace: 'nowrap' }}>
        {value}
      </Text>
    </Group>
  );
}

function Facts({ tenant, order, formats, zone }: Omit<Props, 'step'>) {
  const t = useTexts();
  const address = [order.delivery_address, order.delivery_zone].filter(Boolean).join(' · ');
  return (
    <Stack gap="xs">
      <Fact name={t.orders.customer}>
        {order.lead_id ? (
          <TextLink to="/t/$tenant/customers/$lead" params={{ tenant, lead: order.lead_id }} size="sm">
            <CustomerName tenant={tenant} order={order} />
          </TextLink>
        ) : (
          <CustomerName tenant={tenant} order={order} />
        )}
      </Fact>
      {address && <Fact name={t.orders.address}>{address}</Fact>}
      {order.branch_name && <Fact name={t.orders.branch}>{order.branch_name}</Fact>}
      {order.scheduled_for && (
        <Fact name={t.orders.wantedFor}>{formats.moment(order.scheduled_for, zone)}</Fact>
      )}
      <Fact name={t.orders.estimated}>{formats.moment(order.estimated_at, zone)}</Fact>
      {order.payment_method && <Fact name={t.orders.payment}>{order.payment_method}</Fact>}
      {order.notes && <Fact name={t.orders.notes}>{order.notes}</Fact>}
      {order.redemption_id && <Fact name={t.orders.discount}>{t.orders.reward}</Fact>}
      <Fact name={t.orders.placed}>{formats.moment(order.created_at, zone)}</Fact>
      {order.conversation_id && (
        <TextLink
          to="/t/$tenant/conversations/$conversation"
          params={{ tenant, conversation: order.conversation_id }}
          size="sm"
        >
          {t.orders.seeConversation}
        </TextLink>
      )}
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {children}
      </Text>
    </div>
  );
}
