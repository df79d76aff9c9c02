import { Badge, Button, Divider, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { TextLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { useFollowed } from '../settings/parts/followed';
import { AppointmentActs } from './acts';
import { UNDER } from './asking';
import { wallClock } from './clock';
import type { Formats } from './formats';
import { HistoryList } from './history';
import { type Appointment, appointmentsKey } from './queries';
import { COLOURS, statusOf } from './shown';

type Props = {
  tenant: string;
  appointment: Schemas['AppointmentWithHistory'];
  formats: Formats;
  reschedule: () => void;
};

/** One appointment: what it is, what can become of it, and what became of it so far. */
export function AppointmentDetails({ tenant, appointment, formats, reschedule }: Props) {
  const t = useTexts();
  const status = statusOf(appointment);
  return (
    <Stack>
      <Group justify="space-between">
        <Badge variant="light" color={COLOURS[status]}>
          {t.agenda.statuses[status]}
        </Badge>
        {status === 'held' && appointment.hold_expires_at && (
          <Text size="sm">
            {t.agenda.heldUntil(formats.time(appointment.hold_expires_at, appointment.time_zone))}
          </Text>
        )}
      </Group>
      <Facts tenant={tenant} appointment={appointment} formats={formats} />
      <AppointmentActs tenant={tenant} appointment={appointment} reschedule={reschedule} />
      <Divider />
      <NotesForm key={appointment.id} tenant={tenant} appointment={appointment} />
      <Divider />
      <Title order={3} size="h5">
        {t.agenda.history}
      </Title>
      <HistoryList
        tenant={tenant}
        entries={appointment.history}
        actions={t.agenda.actions}
        formats={formats}
        zone={appointment.time_zone}
      />
    </Stack>
  );
}

function Facts({ tenant, appointment, formats }: Omit<Props, 'reschedule'>) {
  const t = useTexts();
  const { time_zone: zone, price_min: least, price_max: most } = appointment;
  const [start, end] = [wallClock(appointment.starts_at, zone), wallClock(appointment.ends_at, zone)];
  const where = [appointment.staff_name ?? appointment.table_name, appointment.branch_name];
  const price =
    least && most ? `${formats.money(least)} – ${formats.money(most)}` : least && formats.money(least);
  return (
    <Stack gap={4}>
      <Text fw={600}>
        {formats.longDay(start.slice(0, 10))}, {start.slice(11, 16)} – {end.slice(11, 16)}
      </Text>
      <Text size="xs" c="dimmed">
        {t.agenda.zone(zone)}
      </Text>
      <Text>{appointment.service_name}</Text>
      <Text>{where.filter(Boolean).join(' · ')}</Text>
      {appointment.party > 1 && <Text>{t.agenda.people(appointment.party)}</Text>}
      {price && <Text>{price}</Text>}
      <Group gap="md" mt={4}>
        {appointment.lead_id && (
          <TextLink to="/t/$tenant/customers/$lead" params={{ tenant, lead: appointment.lead_id }} size="sm">
            {t.agenda.seeCustomer}
          </TextLink>
        )}
        {appointment.conversation_id && (
          <TextLink
            to="/t/$tenant/conversations/$conversation"
            params={{ tenant, conversation: appointment.conversation_id }}
            size="sm"
          >
            {t.agenda.seeConversation}
          </TextLink>
        )}
      </Group>
    </Stack>
  );
}

function NotesForm({ tenant, appointment }: { tenant: string; appointment: Appointment }) {
  const t = useTexts();
  const queries = useQueryClient();
  const known = { notes: appointment.notes ?? '' };
  const form = useForm({ initialValues: known });
  useFollowed(form, known);
  useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: ({ notes }: typeof form.values) =>
      told(
        api.PATCH('/api/v1/appointments/{appointment_id}', {
          params: { path: { appointment_id: appointment.id } },
          body: { notes: notes.trim() },
        }),
      ),
    onSuccess: async (_, sent) => {
      // What was typed while it was being saved is not saved yet.
      form.resetDirty(sent);
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: appointmentsKey(tenant) });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack gap="xs" align="flex-start">
        {saving.isError && <FailureNotice error={saving.error} />}
        <Textarea
          label={t.agenda.notes}
          description={t.agenda.notesHelp}
          {...UNDER}
          maxLength={2000}
          autosize
          minRows={2}
          w="100%"
          {...form.getInputProps('notes')}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          disabled={!form.isDirty()}
          loading={saving.isPending}
        >
          {t.common.save}
        </Button>
      </Stack>
    </form>
  );
}
