import { Button, NumberInput, Select, Stack, Switch, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done } from '../../parts/notify';
import { fieldErrors, UNDER, useOnce } from './asking';
import { CustomerField, NOBODY } from './customer';
import type { Formats } from './formats';
import { type Appointment, appointmentsKey, type Premises } from './queries';
import { type Slot, SlotPicker } from './slots';

/** What was pressed to come here. */
export type Beginning = { date: string; time?: string; staff?: string; branch?: string };

type Props = {
  tenant: string;
  premises: Premises;
  formats: Formats;
  today: string;
  from: Beginning;
  made: (appointment: Appointment) => void;
};

const EMPTY = { customer_name: null, lead_id: null, conversation_id: null, notes: null };
const PLACE = { branch_id: null, service_id: null, staff_id: null, start: null };

export function NewAppointment({ tenant, premises, formats, today, from, made }: Props) {
  const t = useTexts();
  const queries = useQueryClient();
  const [customer, setCustomer] = useState(NOBODY);
  const [service, setService] = useState<string | null>(null);
  const [branch, setBranch] = useState<string | null>(from.branch ?? null);
  const [staff, setStaff] = useState<string | null>(from.staff ?? null);
  const [date, setDate] = useState(from.date < today ? today : from.date);
  const [party, setParty] = useState(1);
  const [notes, setNotes] = useState('');
  const [hold, setHold] = useState(false);
  const [urgent, setUrgent] = useState(false);
  const [slot, setSlot] = useState<Slot>();
  const [missing, setMissing] = useState(false);
  const [onceLead, onceAppointment] = [useOnce(), useOnce()];
  const letGo = useGuard(
    Boolean(customer.lead || customer.name || customer.phone || service || notes || hold || urgent),
  );

  const bookable = premises.services.filter(
    (one) =>
      one.duration_minutes &&
      one.booked_with !== 'nothing' &&
      (!from.staff || (one.staff ?? []).includes(from.staff)),
  );
  const wanted = bookable.find((one) => one.id === service);
  const branches = premises.branches.filter(
    (one) => !wanted?.branches?.length || wanted.branches.includes(one.id),
  );
  const people = premises.staff.filter(
    (one) => wanted?.staff?.includes(one.id) && (!branch || (one.branches ?? []).includes(branch)),
  );
  const person = people.some((one) => one.id === staff) ? staff : null;
  const place = branches.some((one) => one.id === branch) ? branch : null;
  const seated = wanted?.booked_with === 'table' || wanted?.booked_with === 'branch';

  const making = useMutation({
    mutationFn: async (slot_id: string) => {
      let lead = customer.lead;
      if (customer.isNew) {
        const body = { name: customer.name.trim(), phone: customer.phone.trim() || null };
        const known = await told(api.POST('/api/v1/leads', { body, params: { header: onceLead(body) } }));
        lead = known.id;
      }
      const about = { ...EMPTY, lead_id: lead, customer_name: customer.name.trim() || null };
      const rest = { notes: notes.trim() || null, party: seated ? party : null, hold, urgent };
      const body = { ...PLACE, ...about, ...rest, slot_id };
      return told(api.POST('/api/v1/appointments', { body, params: { header: onceAppointment(body) } }));
    },
    onSuccess: (appointment) => {
      letGo();
      done(appointment.status === 'held' ? t.agenda.held : t.agenda.made);
      made(appointment);
    },
    onError: () => setSlot(undefined),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: [tenant, 'availability'] });
      await queries.invalidateQueries({ queryKey: appointmentsKey(tenant) });
    },
  });
  const errors = fieldErrors(making.error);
  const change = (apply: () => void) => {
    setSlot(undefined);
    apply();
  };
  const pick = useCallback((chosen: Slot | undefined) => setSlot(chosen), []);
  const named = (list: { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  const nobody = customer.isNew ? !customer.name.trim() : !customer.lead;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(nobody || !slot);
        if (!nobody && slot) making.mutate(slot.slot_id);
      }}
    >
      <Stack>
        {making.isError && <FailureNotice error={making.error} />}
        <CustomerField
          tenant={tenant}
          customer={customer}
          errors={missing && nobody ? { lead_id: t.agenda.customerNeeded, ...errors } : errors}
          onChange={setCustomer}
        />
        <Select
          label={t.agenda.service}
          required
          searchable
          allowDeselect={false}
          data={named(bookable)}
          value={service}
          nothingFoundMessage={t.agenda.noService}
          error={errors.service_id}
          onChange={(value) => change(() => setService(value))}
        />
        {branches.length > 1 && (
          <Select
            label={t.agenda.branch}
            placeholder={t.agenda.allBranches}
            data={named(branches)}
            value={place}
            clearable
            error={errors.branch_id}
            onChange={(value) => change(() => setBranch(value))}
          />
        )}
        {people.length > 0 && (
          <Select
            label={t.agenda.person}
            placeholder={t.agenda.anybody}
            data={named(people)}
            value={person}
            clearable
            error={errors.staff_id}
            onChange={(value) => change(() => setStaff(value))}
          />
        )}
        {seated && (
          <NumberInput
            label={t.agenda.party}
            min={1}
            max={1000}
            allowDecimal={false}
            value={party}
            error={errors.party}
            onChange={(value) => change(() => setParty(Math.max(1, Number(value) || 1)))}
          />
        )}
        {wanted && (
          <SlotPicker
            tenant={tenant}
            wanted={{
              service_id: wanted.id,
              date,
              ...(place ? { branch_id: place } : {}),
              ...(person ? { staff_id: person } : {}),
              ...(seated ? { party } : {}),
              ...(urgent ? { urgent } : {}),
            }}
            today={today}
            formats={formats}
            slot={slot}
            meant={date === from.date ? from.time : undefined}
            error={missing && !slot ? t.agenda.slotNeeded : (errors.slot_id ?? errors.start)}
            onDate={(value) => change(() => setDate(value))}
            onSlot={pick}
          />
        )}
        <Textarea
          label={t.agenda.notes}
          description={t.agenda.notesHelp}
          {...UNDER}
          maxLength={2000}
          autosize
          value={notes}
          error={errors.notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        <Switch
          label={t.agenda.hold}
          description={t.agenda.holdHelp}
          checked={hold}
          onChange={(event) => setHold(event.currentTarget.checked)}
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
        <Button type="submit" loading={making.isPending}>
          {t.agenda.create}
        </Button>
      </Stack>
    </form>
  );
}
