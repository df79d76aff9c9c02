import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { done } from '../../parts/notify';
import { type Appointment, appointmentsKey, slotsOf } from './queries';
import { type Column, resourceOf } from './shown';

export type Drop = { appointment: Appointment; start: string; column?: Column };

const kindOf = (appointment: Appointment): Column['kind'] =>
  appointment.staff_id ? 'staff' : appointment.table_id ? 'table' : 'branch';

/** Moving by dropping: it stands at its new place at once, and goes back when the server refuses. */
export function useMove(tenant: string) {
  const t = useTexts();
  const queries = useQueryClient();
  const [refused, setRefused] = useState<{ appointment: Appointment; error: unknown }>();
  const moving = useMutation({
    mutationFn: async ({ appointment, start, column }: Drop) => {
      if (column && column.kind !== kindOf(appointment)) throw new Error(t.agenda.otherKind);
      const place = await placeOf(appointment, start, column);
      return told(
        api.POST('/api/v1/appointments/{appointment_id}/reschedule', {
          params: { path: { appointment_id: appointment.id } },
          body: { branch_id: null, slot_id: null, staff_id: null, start: null, urgent: false, ...place },
        }),
      );
    },
    onMutate: () => setRefused(undefined),
    onSuccess: () => done(t.agenda.moved),
    onError: (error, { appointment }) => setRefused({ appointment, error }),
    // It stays where it was dropped until the server has told where it is.
    onSettled: () => queries.invalidateQueries({ queryKey: appointmentsKey(tenant) }),
  });

  /** Only a slot names a table; a person is named by themselves. */
  async function placeOf(appointment: Appointment, start: string, column: Column | undefined) {
    const local = start.slice(0, 16).replace(' ', 'T');
    if (!column || column.id === resourceOf(appointment)) {
      if (!appointment.table_id) return { start: local };
    }
    if (column?.kind === 'staff') {
      const there = column.branches ?? [];
      const elsewhere = there.length > 0 && !there.includes(appointment.branch_id);
      return { start: local, staff_id: column.id, ...(elsewhere ? { branch_id: there[0] } : {}) };
    }
    const table = column?.kind === 'table' ? column.id : appointment.table_id;
    if (!table || !appointment.service_id) return { start: local };
    const wanted = { service_id: appointment.service_id, branch_id: appointment.branch_id };
    const date = start.slice(0, 10);
    const { party } = appointment;
    const free = await queries.fetchQuery({ ...slotsOf(tenant, { ...wanted, date, party }), staleTime: 0 });
    const slot = free.slots.find((one) => one.table_id === table && one.time === start.slice(11, 16));
    if (slot) return { slot_id: slot.slot_id };
    // Its own time is in its own way there, but not when it is moved without naming the table.
    if (table === appointment.table_id) return { start: local };
    throw new Error(t.agenda.tableTaken);
  }

  return {
    move: moving.mutate,
    /** Where an appointment is on its way to. */
    under: moving.isPending ? moving.variables : undefined,
    refused,
    forget: () => setRefused(undefined),
  };
}
