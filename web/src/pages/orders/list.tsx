import { Badge, Button, Group, Pill, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { OrdersSearch } from '../../routes/orders';
import type { Formats } from '../agenda/formats';
import { customerOf } from '../agenda/queries';
import { CustomerName } from './customer';
import { COLOURS, type Order, STATUSES, type Status } from './machine';
import classes from './orders.module.css';
import { pastOrders } from './queries';

type Props = {
  tenant: string;
  search: OrdersSearch;
  formats: Formats;
  zoneOf: (order: Order) => string | undefined;
  narrow: boolean;
  open: (order: Order) => void;
  go: (changed: Partial<OrdersSearch>) => void;
};

/** All orders, newest first, as far back as somebody goes. */
export function OrderList({ tenant, search, formats, zoneOf, narrow, open, go }: Props) {
  const t = useTexts();
  const { status, branch, customer } = search;
  const list = useInfiniteQuery(pastOrders(tenant, { status, branch, customer }));
  const orders = list.data?.pages.flatMap((page) => page.data) ?? [];
  const filtered = Boolean(status || branch || customer);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Select
          aria-label={t.orders.status}
          placeholder={t.orders.allStatuses}
          data={STATUSES.map((value) => ({ value, label: t.orders.statuses[value] }))}
          value={status ?? null}
          onChange={(value) => go({ status: (value ?? undefined) as Status | undefined })}
          clearable
          w={narrow ? '100%' : 200}
        />
        {customer && (
          <CustomerPill tenant={tenant} customer={customer} remove={() => go({ customer: undefined })} />
        )}
      </Group>
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton />}
      {list.isSuccess && orders.length === 0 && (
        <EmptyState
          title={filtered ? t.orders.nothingTitle : t.orders.emptyTitle}
          text={filtered ? t.orders.nothingText : t.orders.emptyText}
          action={
            filtered ? (
              <Button
                variant="default"
                onClick={() => go({ status: undefined, branch: undefined, customer: undefined })}
              >
                {t.orders.clear}
              </Button>
            ) : undefined
          }
        />
      )}
      {orders.length > 0 && !narrow && <Headings />}
      {orders.length > 0 && <Rows {...{ tenant, orders, formats, zoneOf, narrow, open }} />}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}

function CustomerPill({
  tenant,
  customer,
  remove,
}: {
  tenant: string;
  customer: string;
  remove: () => void;
}) {
  const t = useTexts();
  const known = useQuery(customerOf(tenant, customer));
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{ 'aria-label': t.orders.clear, 'aria-hidden': false, tabIndex: 0 }}
    >
      {known.data?.name ?? known.data?.phone ?? t.orders.noName}
    </Pill>
  );
}

/** What stands in each column. Whoever listens hears it from the rows themselves. */
function Headings() {
  const t = useTexts();
  const { number, customer, kind, status, total, placed } = t.orders.columns;
  return (
    <div className={`${classes.row} ${classes.headings}`} aria-hidden="true">
      <span>{number}</span>
      <span>{customer}</span>
      <span>{kind}</span>
      <span>{status}</span>
      <Text size="sm" ta="right">
        {total}
      </Text>
      <Text size="sm" ta="right">
        {placed}
      </Text>
    </div>
  );
}

type RowsProps = Pick<Props, 'tenant' | 'formats' | 'zoneOf' | 'narrow' | 'open'> & { orders: Order[] };

/** Only the rows that can be seen are drawn. */
function Rows({ orders, narrow, ...row }: RowsProps) {
  const frame = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const rows = useWindowVirtualizer({
    count: orders.length,
    estimateSize: () => (narrow ? 78 : 49),
    overscan: 15,
    scrollMargin: top,
  });
  return (
    <ul ref={frame} className={classes.lines} style={{ height: rows.getTotalSize(), position: 'relative' }}>
      {rows.getVirtualItems().map(({ index, start }) => {
        const order = orders[index];
        return (
          order && (
            <li
              key={order.id}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={orders.length}
              aria-posinset={index + 1}
              style={{
                position: 'absolute',
                insetInline: 0,
                top: 0,
                transform: `translateY(${start - top}px)`,
              }}
            >
              <Row {...row} narrow={narrow} order={order} />
            </li>
          )
        );
      })}
    </ul>
  );
}

function Row({ tenant, order, formats, zoneOf, narrow, open }: Omit<RowsProps, 'orders'> & { order: Order }) {
  const t = useTexts();
  const status = (
    <Badge variant="light" color={COLOURS[order.status]}>
      {t.orders.statuses[order.status]}
    </Badge>
  );
  const name = <CustomerName tenant={tenant} order={order} />;
  if (narrow)
    return (
      <UnstyledButton className={classes.row} onClick={() => open(order)}>
        <Text size="sm" fw={600} truncate>
          #{order.number} {name}
        </Text>
        {status}
        <Text size="sm" c="dimmed" truncate>
          {t.orders.kinds[order.order_type]} · {formats.soon(order.created_at, zoneOf(order))}
        </Text>
        <Text size="sm" ta="right">
          {formats.money(order.totals.total)}
        </Text>
      </UnstyledButton>
    );
  return (
    <UnstyledButton className={classes.row} onClick={() => open(order)}>
      <Text size="sm" fw={600}>
        #{order.number}
      </Text>
      <Text size="sm" truncate>
        {name}
      </Text>
      <span>{t.orders.kinds[order.order_type]}</span>
      <span>{status}</span>
      <Text size="sm" ta="right">
        {formats.money(order.totals.total)}
      </Text>
      <Text size="sm" c="dimmed" ta="right">
        {formats.moment(order.created_at, zoneOf(order))}
      </Text>
    </UnstyledButton>
  );
}
