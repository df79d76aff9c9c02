import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { done } from '../../parts/notify';
import { UNDER } from './asking';
import { type Appointment, appointmentsKey } from './queries';
import { keepsTime, statusOf } from './shown';

const PATHS = {
  confirm: '/api/v1/appointments/{appointment_id}/confirm',
  complete: '/api/v1/appointments/{appointment_id}/complete',
  missed: '/api/v1/appointments/{appointment_id}/no-show',
} as const;

type Props = { tenant: string; appointment: Appointment; reschedule: () => void };

/** What may become of an appointment, as far as its status lets it. */
export function AppointmentActs({ tenant, appointment, reschedule }: Props) {
  const t = useTexts();
  const queries = useQueryClient();
  const [cancelling, setCancelling] = useState(false);
  const acting = useMutation({
    mutationFn: (act: keyof typeof PATHS) =>
      told(api.POST(PATHS[act], { params: { path: { appointment_id: appointment.id } } })),
    onSuccess: (_, act) => done(t.agenda.did[act]),
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentsKey(tenant) }),
  });
  const status = statusOf(appointment);
  const begun = Date.parse(appointment.starts_at) <= Date.now();
  const button = (act: keyof typeof PATHS, main = false) => (
    <Button
      size="sm"
      variant={main ? 'filled' : 'default'}
      loading={acting.isPending && acting.variables === act}
      onClick={() => acting.mutate(act)}
    >
      {t.agenda.acts[act]}
    </Button>
  );
  return (
    <Stack gap="xs">
      {acting.isError && <FailureNotice error={acting.error} />}
      <Group gap="xs">
        {status === 'held' && button('confirm', true)}
        {begun && (status === 'confirmed' || status === 'no_show') && button('complete', true)}
        {begun && status === 'confirmed' && button('missed')}
        {keepsTime(appointment) && (
          <>
            <Button size="sm" variant="default" onClick={reschedule}>
              {t.agenda.reschedule}
            </Button>
            <Button size="sm" variant="light" color="red" onClick={() => setCancelling(true)}>
              {t.agenda.cancel}
            </Button>
          </>
        )}
      </Group>
      <GuardedDialog opened={cancelling} onClose={() => setCancelling(false)} title={t.agenda.cancel}>
        <CancelForm tenant={tenant} appointment={appointment} close={() => setCancelling(false)} />
      </GuardedDialog>
    </Stack>
  );
}

function CancelForm({
  tenant,
  appointment,
  close,
}: {
  tenant: string;
  appointment: Appointment;
  close: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const letGo = useGuard(reason !== '');
  const cancelling = useMutation({
    mutationFn: () =>
      told(
        api.POST('/api/v1/appointments/{appointment_id}/cancel', {
          params: { path: { appointment_id: appointment.id } },
          body: { reason: reason.trim() || null },
        }),
      ),
    onSuccess: () => {
      letGo();
      done(t.agenda.cancelled);
      close();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentsKey(tenant) }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        cancelling.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{t.agenda.cancelText}</Text>
        {cancelling.isError && <FailureNotice error={cancelling.error} />}
        <Textarea
          label={t.agenda.reason}
          description={t.agenda.reasonHelp}
          {...UNDER}
          maxLength={2000}
          autosize
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t.agenda.keep}
          </Button>
          <Button type="submit" color="red" loading={cancelling.isPending}>
            {t.agenda.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
