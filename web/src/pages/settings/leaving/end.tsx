import { Alert, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, enterTenant, type Schemas, told } from '../../../api/client';
import { me } from '../../../api/session';
import { useTexts } from '../../../i18n';
import { ListSkeleton } from '../../../parts/skeletons';
import { Dialog } from '../parts/dialog';
import { Trouble } from '../parts/refusal';
import { StoreCountList } from '../parts/store-counts';
import { ReceiptDetails } from '../platform/receipt';
import { tenantOf } from '../queries';

/** The end of a business: what goes is said beforehand, and the receipt is shown afterwards. */
export function EndCard({ tenant }: { tenant: string }) {
  const t = useTexts();
  const [opened, open] = useState(false);
  const [receipt, keep] = useState<Schemas['DeletionReceipt']>();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const words = t.settings.leaving;
  const close = async () => {
    open(false);
    if (!receipt) return;
    // Nothing is left of where whoever ended it stands.
    enterTenant(undefined);
    localStorage.removeItem('quipu.tenant');
    await queries.invalidateQueries({ queryKey: me.queryKey });
    await queries.invalidateQueries({ queryKey: ['tenants'] });
    await navigate({ to: '/businesses' });
    queries.removeQueries({ queryKey: [tenant] });
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={words.end}>
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {words.end}
        </Title>
        <Text size="sm">{words.endText}</Text>
        <Button color="red.9" onClick={() => open(true)}>
          {words.endOpen}
        </Button>
      </Stack>
      <Dialog
        opened={opened}
        onClose={close}
        title={receipt ? t.settings.platform.receipt : words.endOpen}
        closeOnClickOutside={false}
      >
        {opened &&
          (receipt ? (
            <Stack>
              <ReceiptDetails receipt={receipt} current={tenant} />
              <Button variant="default" onClick={close}>
                {t.common.close}
              </Button>
            </Stack>
          ) : (
            <EndForm tenant={tenant} ended={keep} />
          ))}
      </Dialog>
    </Paper>
  );
}

function EndForm({
  tenant,
  ended,
}: {
  tenant: string;
  ended: (receipt: Schemas['DeletionReceipt']) => void;
}) {
  const t = useTexts();
  const name = useQuery(tenantOf(tenant)).data?.name ?? '';
  const [typed, setTyped] = useState('');
  const going = useQuery({
    queryKey: [tenant, 'ending'],
    staleTime: 0,
    queryFn: () => told(api.GET('/api/v1/tenant/deletion')),
  });
  const ending = useMutation({
    mutationFn: () => told(api.POST('/api/v1/tenant/deletion', { body: { name: typed.trim() } })),
    onSuccess: ended,
  });
  const isSure = name !== '' && typed.trim() === name;
  const words = t.settings.leaving;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSure) ending.mutate();
      }}
    >
      <Stack>
        {ending.isError && <Trouble error={ending.error} />}
        <Alert color="red">
          <Text size="sm">{t.settings.platform.deleteText}</Text>
        </Alert>
        <div>
          <Text fw={600} size="sm" mb={4}>
            {words.goes}
          </Text>
          {going.isPending && <ListSkeleton rows={2} />}
          {going.isError && <Trouble error={going.error} again={going.refetch} />}
          {going.data && <StoreCountList counts={going.data} tenant={tenant} none={words.goesNothing} />}
        </div>
        <TextInput
          label={words.endType(name)}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" color="red.9" disabled={!isSure} loading={ending.isPending}>
          {t.settings.platform.deleteConfirm}
        </Button>
      </Stack>
    </form>
  );
}
