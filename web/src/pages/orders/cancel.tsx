import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { done } from '../../parts/notify';
import { UNDER } from '../agenda/asking';
import type { Order } from './machine';
import { ordersKey } from './queries';

type Props = { tenant: string; order: Order | undefined; close: () => void };

export function CancelDialog({ tenant, order, close }: Props) {
  const t = useTexts();
  return (
    <GuardedDialog
      opened={order !== undefined}
      onClose={close}
      title={order && t.orders.cancelTitle(order.number)}
    >
      {order && <CancelForm tenant={tenant} order={order} close={close} />}
    </GuardedDialog>
  );
}

function CancelForm({ tenant, order, close }: Props & { order: Order }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const letGo = useGuard(reason !== '');
  const cancelling = useMutation({
    mutationFn: () =>
      told(
        api.POST('/api/v1/orders/{order_id}/cancel', {
          params: { path: { order_id: order.id } },
          body: { reason: reason.trim() || null },
        }),
      ),
    onSuccess: () => {
      letGo();
      done(t.orders.cancelled(order.number));
      close();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ordersKey(tenant) }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        cancelling.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{t.orders.cancelText}</Text>
        {cancelling.isError && <FailureNotice error={cancelling.error} />}
        <TextInput
          label={t.orders.reason}
          description={t.orders.reasonHelp}
          {...UNDER}
          maxLength={300}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t.orders.keep}
          </Button>
          <Button type="submit" color="red" loading={cancelling.isPending}>
            {t.orders.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
