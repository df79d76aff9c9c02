import { Box } from '@mantine/core';
import { useTexts } from '../../i18n';
import classes from './agenda.module.css';
import type { AgendaEvent } from './shown';
import { statusOf } from './shown';

/** What lasts less has room for one line only. */
const TWO_LINES = 25 * 60_000;

/** What an appointment says of itself in the calendar: when, who, for what, and what is unusual. */
export function EventBody({ event, withPerson }: { event: AgendaEvent; withPerson: boolean }) {
  const t = useTexts();
  const { appointment } = event.payload as { appointment: AgendaAppointment };
  const status = statusOf(appointment);
  const over = status === 'cancelled' || status === 'expired';
  const who = appointment.customer_name ?? t.agenda.noName;
  const short = Date.parse(appointment.ends_at) - Date.parse(appointment.starts_at) < TWO_LINES;
  const rest = [
    status === 'confirmed' ? undefined : t.agenda.statuses[status],
    appointment.service_name,
    withPerson ? (appointment.staff_name ?? appointment.table_name) : undefined,
  ];
  return (
    <Box component="span" className={classes.body} mod={{ over, short, status }}>
      {String(event.start).slice(11, 16)} <b>{who}</b> {rest.filter(Boolean).join(' · ')}
    </Box>
  );
}

type AgendaAppointment = NonNullable<AgendaEvent['payload']>['appointment'];
