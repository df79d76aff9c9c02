import { Button, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../api/client';
import { useLanguage, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { done } from '../../parts/notify';
import { todayIn, wallClock } from './clock';
import type { Formats } from './formats';
import { type Appointment, appointmentsKey, type Premises } from './queries';
import { type Slot, SlotPicker } from './slots';

type Props = {
  tenant: string;
  appointment: Appointment;
  premises: Premises;
  formats: Formats;
  close: () => void;
};

/** Another time without dragging: for fingers, keyboards, and days that are not on the screen. */
export function RescheduleForm({ tenant, appointment, premises, formats, close }: Props) {
  const t = useTexts();
  const locale = useLanguage();
  const queries = useQueryClient();
  const { time_zone: zone, service_id: service } = appointment;
  const today = todayIn(zone);
  const before = wallClock(appointment.starts_at, zone);
  const [date, setDate] = useState([before.slice(0, 10), today].toSorted().at(-1) ?? today);
  const [staff, setStaff] = useState<string | null>(appointment.staff_id ?? null);
  const [urgent, setUrgent] = useState(false);
  const [slot, setSlot] = useState<Slot>();
  const [time, setTime] = useState(before.slice(11, 16));
  const does = premises.services.find((one) => one.id === service)?.staff ?? [];
  const people = premises.staff.filter((one) => does.includes(one.id));
  const moving = useMutation({
    mutationFn: () => {
      const place = slot ? { slot_id: slot.slot_id } : { start: `${date}T${time}` };
      return told(
        api.POST('/api/v1/appointments/{appointment_id}/reschedule', {
          params: { path: { appointment_id: appointment.id } },
          body: { branch_id: null, slot_id: null, staff_id: null, start: null, urgent, ...place },
        }),
      );
    },
    onSuccess: () => {
      done(t.agenda.moved);
      close();
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: [tenant, 'availability'] });
      await queries.invalidateQueries({ queryKey: appointmentsKey(tenant) });
    },
    onError: () => setSlot(undefined),
  });
  const change = (apply: () => void) => {
    setSlot(undefined);
    moving.reset();
    apply();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        moving.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{t.agenda.isAt(formats.longDay(before.slice(0, 10)), before.slice(11, 16))}</Text>
        {moving.isError && <FailureNotice error={moving.error} />}
        {people.length > 1 && (
          <Select
            label={t.agenda.person}
            placeholder={t.agenda.anybody}
            data={people.map(({ id, name }) => ({ value: id, label: name }))}
            value={staff}
            onChange={(value) => change(() => setStaff(value))}
            clearable
          />
        )}
        {service ? (
          <>
            <SlotPicker
              tenant={tenant}
              wanted={{
                service_id: service,
                date,
                party: appointment.party,
                moving: appointment.id,
                ...(urgent ? { urgent } : {}),
                ...(staff ? { staff_id: staff } : { branch_id: appointment.branch_id }),
              }}
              today={today}
              formats={formats}
              slot={slot}
              onDate={(value) => change(() => setDate(value))}
              onSlot={setSlot}
            />
            <Switch
              label={t.agenda.urgent}
              description={t.agenda.urgentHelp}
              checked={urgent}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                change(() => setUrgent(checked));
              }}
            />
          </>
        ) : (
          <>
            <DatePickerInput
              label={t.agenda.date}
              locale={locale}
              value={date}
              minDate={today}
              valueFormatter={() => formats.longDay(date)}
              onChange={(value) => value && setDate(value)}
            />
            <TextInput
              label={t.agenda.time}
              type="time"
              required
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
            />
          </>
        )}
        <Button type="submit" loading={moving.isPending} disabled={Boolean(service) && !slot}>
          {t.agenda.reschedule}
        </Button>
      </Stack>
    </form>
  );
}
