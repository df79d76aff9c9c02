import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { MergePreview } from './merge-preview';
import { CustomerPicker } from './picker';
import { type Lead, leadOf } from './queries';

type Field = Schemas['LeadField'];

/** Makes one customer of two records of the same person. */
export function MergeCustomer({ tenant, lead, name }: { tenant: string; lead: Lead; name: string }) {
  const t = useTexts();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" color="gray" onClick={open}>
        {t.joining.start}
      </Button>
      <GuardedDialog opened={opened} onClose={close} size="lg" title={t.joining.title(name)}>
        <MergeForm tenant={tenant} lead={lead} name={name} close={close} />
      </GuardedDialog>
    </>
  );
}

function MergeForm({
  tenant,
  lead,
  name,
  close,
}: {
  tenant: string;
  lead: Lead;
  name: string;
  close: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const [other, setOther] = useState<Lead>();
  const [taken, setTaken] = useState<Field[]>([]);
  const letGo = useGuard(other !== undefined);
  // Sent again after a failure, it answers what was done.
  const joining = useMutation({
    mutationFn: (body: Schemas['MergeLead']) =>
      told(
        api.POST('/api/v1/leads/{lead_id}/merge', {
          params: { path: { lead_id: lead.id } },
          body,
        }),
      ),
    onSuccess: async (merged) => {
      letGo();
      close();
      queries.setQueryData(leadOf(tenant, lead.id).queryKey, merged.lead);
      queries.removeQueries({ queryKey: leadOf(tenant, merged.merged_id).queryKey });
      modals.open({
        title: t.joining.done(merged.lead.name ?? t.customers.unnamed),
        children: <MovedRows moved={merged.moved} />,
        closeButtonProps: { 'aria-label': t.common.close },
      });
      // Conversations, appointments, orders and points are somebody else's now.
      await queries.invalidateQueries({ queryKey: [tenant] });
    },
  });
  const pick = (found: Lead | undefined) => {
    setOther(found);
    setTaken([]);
    joining.reset();
  };
  const otherName = other?.name ?? t.customers.unnamed;
  return (
    <Stack>
      <Text size="sm">{t.joining.intro(name)}</Text>
      <CustomerPicker
        tenant={tenant}
        label={t.joining.other}
        placeholder={t.joining.find}
        nobody={t.joining.nobodyFound}
        chosen={other}
        without={lead.id}
        focus
        choose={pick}
      />
      {other && (
        <>
          <MergePreview tenant={tenant} lead={lead} other={other} taken={taken} take={setTaken} />
          <Alert color="ochre" role="note">
            {t.joining.warning(otherName, name)}
          </Alert>
        </>
      )}
      {joining.isError && <FailureNotice error={joining.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
        <Button
          disabled={!other}
          loading={joining.isPending}
          onClick={() => other && joining.mutate({ other_lead_id: other.id, take: taken })}
        >
          {t.joining.join}
        </Button>
      </Group>
    </Stack>
  );
}

/** What went over, counted. */
function MovedRows({ moved }: { moved: Schemas['MovedRows'] }) {
  const t = useTexts();
  const names: Record<string, string> = t.joining.moved;
  const rows = Object.entries(moved).filter(([, count]) => count > 0);
  return (
    <Stack gap="xs">
      <Text size="sm">{rows.length > 0 ? t.joining.movedTitle : t.joining.movedNothing}</Text>
      <List size="sm">
        {rows.map(([table, count]) => (
          <List.Item key={table}>
            {names[table] ?? table}: {count}
          </List.Item>
        ))}
      </List>
      <Button onClick={() => modals.closeAll()}>{t.common.close}</Button>
    </Stack>
  );
}
