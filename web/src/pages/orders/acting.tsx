import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { failed } from '../../parts/notify';
import { mayBecome, nextOf, type Order, type Status } from './machine';
import { ordersKey } from './queries';

/** Taking orders further. They stand in their new column at once, and go back when that is refused. */
export function useSteps(tenant: string, cancel: (order: Order) => void) {
  const t = useTexts();
  const queries = useQueryClient();
  const stepping = useMutation({
    mutationFn: ({ order, status }: { order: Order; status: Status }) =>
      told(
        api.POST('/api/v1/orders/{order_id}/status', {
          params: { path: { order_id: order.id } },
          body: { status },
        }),
      ),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ordersKey(tenant) }),
  });
  const step = (order: Order, status: Status) => {
    if (!mayBecome(order, status)) return;
    if (status === 'cancelled') return cancel(order);
    const skips = nextOf(order).indexOf(status) > 0;
    if (status !== 'completed' || !skips) return stepping.mutate({ order, status });
    // No step is taken back, and this one ends it.
    modals.openConfirmModal({
      title: t.orders.skipTitle(order.number),
      children: <Text size="sm">{t.orders.skipText}</Text>,
      labels: { confirm: t.orders.steps.completed, cancel: t.common.cancel },
      onConfirm: () => stepping.mutate({ order, status }),
    });
  };
  return { step, under: stepping.isPending ? stepping.variables : undefined };
}
