import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { Dialog } from '../parts/dialog';
import { Trouble } from '../parts/refusal';
import { ReceiptDetails } from './receipt';
import type { Opened } from './tenants';

export function DeleteDialog({ opened, close }: { opened: Opened; close: () => void }) {
  const t = useTexts();
  const tenant = opened?.dialog === 'delete' ? opened.tenant : undefined;
  return (
    <Dialog
      opened={tenant !== undefined}
      onClose={close}
      title={tenant && t.settings.platform.deleteTitle(tenant.name)}
      closeOnClickOutside={false}
    >
      {tenant && <DeleteForm tenant={tenant} close={close} />}
    </Dialog>
  );
}

/** Everything of a tenant goes, so its address has to be written out first. The receipt stays. */
function DeleteForm({ tenant, close }: { tenant: Schemas['Tenant']; close: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { tenant: current } = useParams({ from: '/inside/t/$tenant' });
  const [typed, setTyped] = useState('');
  const deleting = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/tenants/{tenant_id}', { params: { path: { tenant_id: tenant.id } } })),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['tenants'] }),
        queries.invalidateQueries({ queryKey: ['deletion-receipts'] }),
      ]),
  });
  const leave = () => {
    close();
    // There is nothing left where whoever deleted it stands.
    if (current === tenant.slug) void navigate({ to: '/' });
  };
  if (deleting.data)
    return (
      <Stack>
        <ReceiptDetails receipt={deleting.data} current={current} />
        <Button variant="default" onClick={leave}>
          {t.common.close}
        </Button>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === tenant.slug) deleting.mutate();
      }}
    >
      <Stack>
        {deleting.isError && <Trouble error={deleting.error} />}
        <Alert color="red">
          <Text size="sm">{t.settings.platform.deleteText}</Text>
        </Alert>
        <TextInput
          label={t.settings.platform.deleteType(tenant.slug)}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" color="red" disabled={typed !== tenant.slug} loading={deleting.isPending}>
          {t.settings.platform.deleteConfirm}
        </Button>
      </Stack>
    </form>
  );
}
