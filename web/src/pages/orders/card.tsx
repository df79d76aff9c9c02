import { Badge, Button, Group, Menu, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTexts } from '../../i18n';
import type { Formats } from '../agenda/formats';
import { CustomerName } from './customer';
import { isEnded, nextOf, type Order, type Status } from './machine';
import classes from './orders.module.css';

const LINES = 4;

export type CardProps = {
  tenant: string;
  order: Order;
  formats: Formats;
  /** The clock of the branch that makes it. */
  zoneOf: (order: Order) => string | undefined;
  now: number;
  fresh: boolean;
  open: (order: Order) => void;
  step: (order: Order, status: Status) => void;
};

/** An order as a kitchen reads it: its number, whose it is, what is in it, and what comes next. */
export function OrderCard({ tenant, order, formats, zoneOf, now, fresh, open, step }: CardProps) {
  const t = useTexts();
  const late = !isEnded(order.status) && order.status !== 'ready' && Date.parse(order.estimated_at) < now;
  const hidden = order.lines.length - LINES;
  return (
    <Paper withBorder p="sm" className={classes.card} data-fresh={fresh || undefined} component="article">
      <Stack gap={6}>
        <Group justify="space-between" gap={4} wrap="nowrap">
          <UnstyledButton
            className={classes.number}
            onClick={() => open(order)}
            aria-label={t.orders.openOrder(order.number)}
          >
            #{order.number}
          </UnstyledButton>
          <Text size="xs" c="dimmed" title={formats.moment(order.created_at, zoneOf(order))}>
            {formats.since(order.created_at, now)}
          </Text>
        </Group>
        <Text size="sm" fw={600} truncate>
          <CustomerName tenant={tenant} order={order} />
        </Text>
        <Group gap={4}>
          {fresh && (
            <Badge size="sm" color="ochre.7">
              {t.orders.fresh}
            </Badge>
          )}
          <Badge size="sm" variant="light" color="gray">
            {t.orders.kinds[order.order_type]}
          </Badge>
          {order.scheduled_for && !isEnded(order.status) && (
            <Badge size="sm" variant="light" color="teal">
              {t.orders.dueAt(formats.soon(order.scheduled_for, zoneOf(order)))}
            </Badge>
          )}
          {late && (
            <Badge size="sm" variant="light" color="ochre">
              {t.orders.late}
            </Badge>
          )}
        </Group>
        <ul className={classes.lines}>
          {order.lines.slice(0, LINES).map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
            <li key={at}>
              {line.quantity} × {line.item.name}
              {[...line.options.map(({ choice }) => choice), ...line.notes].map((extra) => (
                <Text key={extra} component="span" size="xs" c="dimmed" display="block">
                  {extra}
                </Text>
              ))}
            </li>
          ))}
        </ul>
        {hidden > 0 && (
          <Text size="xs" c="dimmed">
            {t.orders.moreLines(hidden)}
          </Text>
        )}
        <Text size="sm" fw={600}>
          {formats.money(order.totals.total)}
        </Text>
        {!isEnded(order.status) && <OrderSteps order={order} step={step} />}
      </Stack>
    </Paper>
  );
}

/** The next step as a button, the others in a menu: for fingers and keyboards. */
export function OrderSteps({ order, step }: Pick<CardProps, 'order' | 'step'>) {
  const t = useTexts();
  const [next, ...others] = nextOf(order);
  return (
    <Group gap={4} wrap="nowrap">
      {next && (
        <Button
          size="xs"
          variant="light"
          flex={1}
          px={4}
          aria-label={`${t.orders.steps[next]} · #${order.number}`}
          onClick={() => step(order, next)}
        >
          {t.orders.steps[next]}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" px={10} aria-label={t.orders.otherSteps(order.number)}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((status) => (
            <Menu.Item key={status} onClick={() => step(order, status)}>
              {t.orders.steps[status]}
            </Menu.Item>
          ))}
          <Menu.Item color="red" onClick={() => step(order, 'cancelled')}>
            {t.orders.cancel}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
