import { Anchor, Badge, Button, Group, ScrollArea, Stack, Tabs, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { ListSkeleton } from '../../parts/skeletons';
import { type CardProps, OrderCard } from './card';
import { COLOURS, isEnded, mayBecome, type Order, STATUSES, type Status } from './machine';
import classes from './orders.module.css';

const DRAGGED = 'text/x-quipu-order';

export type Column = { status: Status; orders: Order[] | undefined; more: boolean };

/** Cards that a column draws at first, and how many more each time. */
const STEP = 50;

/** How many wait, as far as is known; nothing while they are on their way, and of what ended. */
const countOf = ({ orders, status, more }: Column) =>
  orders && !isEnded(status) ? `${orders.length}${more ? '+' : ''}` : undefined;

type Props = Omit<CardProps, 'order' | 'fresh'> & {
  columns: Column[];
  narrow: boolean;
  /** The column that a telephone shows. */
  shown: Status;
  show: (status: Status) => void;
  unseen: ReadonlySet<string>;
  moving: string | undefined;
  past: (status: Status) => void;
};

/** The statuses side by side; on a telephone one at a time. */
export function OrderBoard({ columns, narrow, shown, show, ...props }: Props) {
  const t = useTexts();
  const [dragged, setDragged] = useState<Order>();
  if (narrow) {
    return (
      <Tabs value={shown} onChange={(value) => show((value ?? 'received') as Status)} keepMounted={false}>
        <ScrollArea type="never" viewportProps={{ tabIndex: -1 }}>
          <Tabs.List style={{ flexWrap: 'nowrap' }}>
            {columns.map((column) => (
              <Tabs.Tab key={column.status} value={column.status} style={{ whiteSpace: 'nowrap' }}>
                {t.orders.statuses[column.status]}
                {countOf(column) && ` (${countOf(column)})`}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollArea>
        {columns.map((column) => (
          <Tabs.Panel key={column.status} value={column.status} pt="sm">
            <ColumnCards {...props} column={column} />
          </Tabs.Panel>
        ))}
      </Tabs>
    );
  }
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t.orders.board }}>
      <div className={classes.board}>
        {columns.map((column) => (
          <BoardColumn key={column.status} {...props} column={column} dragged={dragged} drag={setDragged} />
        ))}
      </div>
    </ScrollArea>
  );
}

type ColumnProps = Omit<Props, 'columns' | 'narrow' | 'shown' | 'show'> & { column: Column };
type Dragging = { dragged: Order | undefined; drag: (order: Order | undefined) => void };

function BoardColumn({ column, dragged, drag, ...props }: ColumnProps & Dragging) {
  const t = useTexts();
  const [over, setOver] = useState(false);
  const { status, orders } = column;
  const count = countOf(column);
  const allowed = dragged !== undefined && mayBecome(dragged, status);
  const refused = dragged !== undefined && !allowed && dragged.status !== status;
  return (
    <section
      className={classes.column}
      aria-labelledby={`orders-${status}`}
      data-allowed={allowed || undefined}
      data-over={(allowed && over) || undefined}
      data-refused={refused || undefined}
      onDragOver={(event) => {
        if (!allowed || !event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged && allowed) props.step(dragged, status);
        drag(undefined);
      }}
    >
      <Group justify="space-between" mb="xs" px={4}>
        <Title order={2} size="h6" id={`orders-${status}`}>
          {t.orders.statuses[status]}
        </Title>
        {count && (
          <Badge variant="light" color={orders?.length ? COLOURS[status] : 'gray'} circle={count.length < 2}>
            {count}
          </Badge>
        )}
      </Group>
      <ColumnCards {...props} column={column} drag={drag} />
    </section>
  );
}

function ColumnCards({
  column,
  unseen,
  moving,
  past,
  drag,
  ...card
}: ColumnProps & { drag?: Dragging['drag'] }) {
  const t = useTexts();
  const { orders, status, more } = column;
  const [most, setMost] = useState(STEP);
  if (!orders) return <ListSkeleton rows={2} />;
  return (
    <Stack gap="xs">
      {orders.length === 0 && (
        <Text size="sm" c="dimmed" px={4}>
          {t.orders.emptyColumn}
        </Text>
      )}
      {orders.slice(0, most).map((order) => {
        const movable = drag !== undefined && STATUSES.some((next) => mayBecome(order, next));
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: dragging is only one of the ways
          <div
            key={order.id}
            className={movable ? classes.draggable : undefined}
            data-moving={moving === order.id || undefined}
            draggable={movable}
            onDragStart={(event) => {
              event.dataTransfer.setData(DRAGGED, order.id);
              event.dataTransfer.effectAllowed = 'move';
              drag?.(order);
            }}
            onDragEnd={() => drag?.(undefined)}
          >
            <OrderCard {...card} order={order} fresh={unseen.has(order.id)} />
          </div>
        );
      })}
      {orders.length > most && (
        <Button size="xs" variant="subtle" onClick={() => setMost(most + STEP)}>
          {t.common.more}
        </Button>
      )}
      {more && orders.length <= most && (
        <Anchor component="button" type="button" size="sm" ta="start" px={4} onClick={() => past(status)}>
          {t.orders.seeAll}
        </Anchor>
      )}
    </Stack>
  );
}
