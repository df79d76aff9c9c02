import { Button, Group, SegmentedControl, Select, Switch } from '@mantine/core';
import { useInterval, useMediaQuery } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog, GuardedDrawer } from '../../parts/guarded-dialog';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { OrdersSearch } from '../../routes/orders';
import { type Formats, useFormats } from '../agenda/formats';
import { tenantOf } from '../agenda/queries';
import { useSteps } from './acting';
import { useSeeing, useUnseen } from './arrivals';
import { type Column, OrderBoard } from './board';
import { CancelDialog } from './cancel';
import { NewOrder } from './create';
import { OrderDetails } from './details';
import { OrderList } from './list';
import { isEnded, type Order, STATUSES, type Status } from './machine';
import { branchesOf, columnOf, orderOf, termsOf } from './queries';
import { useSound } from './sound';

const ROUTE = '/inside/t/$tenant/orders';
/** How old an order is said to be is right to half a minute. */
const TICK = 30_000;

export function OrdersPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: ROUTE });
  const place = useQuery(tenantOf(tenant));
  if (place.data) return <Orders key={tenant} tenant={tenant} place={place.data} />;
  return (
    <Page title={t.orders.title}>
      {place.isError ? <FailureNotice error={place.error} again={place.refetch} /> : <ListSkeleton />}
    </Page>
  );
}

function Orders({ tenant, place }: { tenant: string; place: Schemas['Tenant'] }) {
  const t = useTexts();
  const formats = useFormats(place);
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/orders' });
  const go = (changed: Partial<OrdersSearch>) => navigate({ search: (old) => ({ ...old, ...changed }) });
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), TICK, { autoInvoke: true });

  const branches = useQuery(branchesOf(tenant));
  const terms = useQuery(termsOf(tenant));
  const found = useQueries({ queries: STATUSES.map((status) => columnOf(tenant, status, search.branch)) });
  const [cancelled, setCancelled] = useState<Order>();
  const [taking, setTaking] = useState(false);
  const { step, under } = useSteps(tenant, setCancelled);
  const columns = columnsOf(
    found.map(({ data }) => data),
    under,
  );
  const failure = found.find(({ isError, data }) => isError && !data);

  const [sounds, setSounds] = useSound();
  // No order is from the future, however long ago the clock was looked at.
  const latest = Math.max(now, ...found.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const unseen = useUnseen(tenant);
  useSeeing(tenant);

  const zoneOf = ({ branch_id: at }: Order) =>
    branches.data?.data.find(({ id }) => id === at)?.time_zone ?? undefined;
  const open = (order: Order) => go({ order: order.id });
  const view = search.view ?? 'board';
  const nothing = columns.every(({ orders }) => orders?.length === 0);
  const create = (
    <Button onClick={() => setTaking(true)} disabled={!terms.data || !branches.data}>
      {t.orders.create}
    </Button>
  );
  return (
    <Page title={t.orders.title} actions={create}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <SegmentedControl
            aria-label={t.orders.view}
            value={view}
            onChange={(value) => go({ view: value === 'list' ? 'list' : undefined, status: undefined })}
            data={[
              { value: 'board', label: t.orders.board },
              { value: 'list', label: t.orders.all },
            ]}
          />
          {(branches.data?.data.length ?? 0) > 1 && (
            <Select
              aria-label={t.orders.branch}
              placeholder={t.orders.allBranches}
              data={branches.data?.data.map(({ id, name }) => ({ value: id, label: name }))}
              value={search.branch ?? null}
              onChange={(value) => go({ branch: value ?? undefined })}
              clearable
              w={narrow ? 150 : 200}
            />
          )}
        </Group>
        <Switch
          label={t.orders.sound}
          checked={sounds}
          onChange={(event) => setSounds(event.currentTarget.checked)}
        />
      </Group>
      {view === 'list' && <OrderList {...{ tenant, search, formats, zoneOf, narrow, open, go }} />}
      {view === 'board' && failure && <FailureNotice error={failure.error} again={failure.refetch} />}
      {view === 'board' && !failure && nothing && (
        <EmptyState title={t.orders.emptyTitle} text={t.orders.emptyText} action={create} />
      )}
      {view === 'board' && !failure && !nothing && (
        <OrderBoard
          {...{ tenant, columns, narrow, formats, zoneOf, unseen, open, step }}
          now={latest}
          shown={search.status ?? 'received'}
          show={(status) => go({ status })}
          moving={under?.order.id}
          past={(status) => go({ view: 'list', status })}
        />
      )}
      <OpenOrder
        {...{ tenant, formats, zoneOf, step }}
        id={search.order}
        close={() => go({ order: undefined })}
      />
      <GuardedDialog opened={taking} onClose={() => setTaking(false)} title={t.orders.create}>
        {taking && terms.data && branches.data && (
          <NewOrder
            {...{ tenant, formats }}
            terms={terms.data}
            branches={branches.data.data}
            branch={search.branch}
            made={(order) => {
              setTaking(false);
              open(order);
            }}
          />
        )}
      </GuardedDialog>
      <CancelDialog tenant={tenant} order={cancelled} close={() => setCancelled(undefined)} />
    </Page>
  );
}

type Found = Schemas['Page_Order'] | undefined;

/** The board as the server told it, with an order that is on its way already where it goes. */
function columnsOf(found: Found[], under: { order: Order; status: Status } | undefined): Column[] {
  return STATUSES.map((status, at) => {
    const page = found[at];
    const orders = page?.data.filter(({ id }) => id !== under?.order.id);
    if (orders && under?.status === status) orders.unshift({ ...under.order, status });
    // A kitchen works from the oldest on; of what ended, the latest matters.
    const sorted = isEnded(status) ? orders : orders?.toSorted((a, b) => a.number - b.number);
    return { status, orders: sorted, more: Boolean(page?.next_cursor) };
  });
}

function OpenOrder({
  tenant,
  id,
  formats,
  zoneOf,
  step,
  close,
}: {
  tenant: string;
  id: string | undefined;
  formats: Formats;
  zoneOf: (order: Order) => string | undefined;
  step: (order: Order, status: Status) => void;
  close: () => void;
}) {
  const t = useTexts();
  const found = useQuery({ ...orderOf(tenant, id ?? ''), enabled: id !== undefined });
  return (
    <GuardedDrawer
      opened={id !== undefined}
      onClose={close}
      title={found.data ? t.orders.order(found.data.number) : t.orders.title}
    >
      {id !== undefined && found.isPending && <ListSkeleton />}
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {id !== undefined && found.data && (
        <OrderDetails
          tenant={tenant}
          order={found.data}
          formats={formats}
          zone={zoneOf(found.data)}
          step={step}
        />
      )}
    </GuardedDrawer>
  );
}
