import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { failed } from '../../parts/notify';
import { type Lead, leadOf } from './queries';

/** Deletes a customer with everything of theirs, and shows the receipt. */
export function DeleteCustomer({ tenant, lead, name }: { tenant: string; lead: Lead; name: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => told(api.DELETE('/api/v1/leads/{lead_id}', { params: { path: { lead_id: lead.id } } })),
    onSuccess: async (receipt) => {
      modals.open({
        title: t.customers.receiptTitle(name),
        children: <DeletionReceipt receipt={receipt} />,
        closeButtonProps: { 'aria-label': t.common.close },
      });
      // A form with changes that nobody can save any more holds nobody back.
      await navigate({ to: '/t/$tenant/customers', params: { tenant }, ignoreBlocker: true });
      queries.removeQueries({ queryKey: leadOf(tenant, lead.id).queryKey });
      // Conversations, appointments, orders and figures went with them.
      await queries.invalidateQueries({ queryKey: [tenant] });
    },
    onError: failed,
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t.customers.deleteTitle(name),
      children: <Text size="sm">{t.customers.deleteText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': t.common.close },
      onConfirm: () => deleting.mutate(),
    });
  return (
    <Button variant="subtle" color="red" loading={deleting.isPending} onClick={ask}>
      {t.common.delete}
    </Button>
  );
}

function DeletionReceipt({ receipt }: { receipt: Schemas['DeletionReceipt'] }) {
  const t = useTexts();
  const names: Record<string, string> = t.customers.removed;
  const rows = Object.entries(receipt.removed.rows).filter(([, count]) => count > 0);
  return (
    <Stack gap="xs">
      <List size="sm">
        {rows.map(([table, count]) => (
          <List.Item key={table}>
            {names[table] ?? table}: {count}
          </List.Item>
        ))}
        {receipt.removed.files > 0 && (
          <List.Item>
            {t.customers.removedFiles}: {receipt.removed.files}
          </List.Item>
        )}
      </List>
      <Alert color={receipt.complete ? 'teal' : 'ochre'}>
        {receipt.complete ? t.customers.nothingRemains : t.customers.filesRemain}
      </Alert>
      <Button onClick={() => modals.closeAll()}>{t.common.close}</Button>
    </Stack>
  );
}
