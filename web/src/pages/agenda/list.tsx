import { Badge, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useTexts } from '../../i18n';
import classes from './agenda.module.css';
import type { Formats } from './formats';
import type { Appointment } from './queries';
import { type AgendaEvent, COLOURS, statusOf } from './shown';

type Props = { events: AgendaEvent[]; formats: Formats; open: (appointment: Appointment) => void };

/** A week as a list: for telephones, and for whoever listens to the page. */
export function AppointmentList({ events, formats, open }: Props) {
  const days = new Map<string, AgendaEvent[]>();
  for (const event of events) {
    const day = String(event.start).slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return (
    <Stack>
      {[...days.keys()].toSorted().map((day) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={2} size="h5" mb="xs" id={`day-${day}`}>
            {formats.longDay(day)}
          </Title>
          <Stack gap="xs">
            {days
              .get(day)
              ?.toSorted((a, b) => String(a.start).localeCompare(String(b.start)))
              .map((event) => (
                <ListedAppointment key={event.id} event={event} open={open} />
              ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function ListedAppointment({ event, open }: { event: AgendaEvent; open: Props['open'] }) {
  const t = useTexts();
  const { appointment } = event.payload as { appointment: Appointment };
  const status = statusOf(appointment);
  const where = [appointment.staff_name ?? appointment.table_name, appointment.branch_name];
  return (
    <UnstyledButton onClick={() => open(appointment)}>
      <Paper withBorder px="md" py="xs" className={classes.listed}>
        <Text size="sm" fw={600} className={classes.when}>
          {String(event.start).slice(11, 16)} – {String(event.end).slice(11, 16)}
        </Text>
        <Badge variant="light" color={COLOURS[status]} className={classes.status}>
          {t.agenda.statuses[status]}
        </Badge>
        <div className={classes.what}>
          <Text size="sm" fw={600}>
            {appointment.customer_name ?? t.agenda.noName}
          </Text>
          <Text size="sm">{appointment.service_name}</Text>
          <Text size="sm" c="dimmed">
            {where.filter(Boolean).join(' · ')}
          </Text>
        </div>
      </Paper>
    </UnstyledButton>
  );
}
