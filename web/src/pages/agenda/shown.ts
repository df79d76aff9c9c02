import type { ScheduleEventData } from '@mantine/schedule';
import type { AgendaView } from '../../routes/agenda';
import { addDays, instantOf, mondayOf, wallClock } from './clock';
import type { Appointment, Premises } from './queries';

type Status = Appointment['status'];

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const USUAL = { first: 8, last: 20 };

/** The status now: a hold that ran out is over, whether or not anybody wrote that down. */
export function statusOf(appointment: Appointment, now = Date.now()): Status {
  const { status, hold_expires_at: until } = appointment;
  return status === 'held' && until && Date.parse(until) <= now ? 'expired' : status;
}

export function keepsTime(appointment: Appointment): boolean {
  const status = statusOf(appointment);
  return status === 'held' || status === 'confirmed';
}

export const COLOURS: Record<Status, string> = {
  held: 'ochre',
  confirmed: 'teal',
  completed: 'gray',
  cancelled: 'gray',
  no_show: 'gray',
  expired: 'gray',
};

/** Who or what an appointment takes up, as the server reckons it. */
export const resourceOf = (appointment: Appointment) =>
  appointment.staff_id ?? appointment.table_id ?? appointment.branch_id;

/** The days that a view shows, the last included. */
export function daysOf(view: AgendaView, date: string): { first: string; last: string } {
  if (view === 'day' || view === 'resources') return { first: date, last: date };
  const first = mondayOf(date);
  return { first, last: addDays(first, 6) };
}

/** The instants between which those days lie on all of the clocks. */
export function instantsOf(days: { first: string; last: string }, zones: string[]) {
  const starts = zones.map((zone) => instantOf(days.first, zone).getTime());
  const ends = zones.map((zone) => instantOf(addDays(days.last, 1), zone).getTime());
  return {
    from: new Date(Math.min(...starts)).toISOString(),
    to: new Date(Math.max(...ends)).toISOString(),
  };
}

export type AgendaEvent = ScheduleEventData<{ appointment: Appointment }>;

/** An appointment on the clock of its branch, or on its way to where it was dropped. */
export function eventOf(appointment: Appointment, moved?: { start: string; resource?: string }): AgendaEvent {
  const zone = appointment.time_zone;
  const start = moved?.start ?? wallClock(appointment.starts_at, zone);
  const lasts = Date.parse(appointment.ends_at) - Date.parse(appointment.starts_at);
  const end = wallClock(new Date(instantOf(start, zone).getTime() + lasts), zone);
  const midnight = `${start.slice(0, 10)} 23:59:59`;
  const status = statusOf(appointment);
  return {
    id: appointment.id,
    title: [appointment.customer_name, appointment.service_name].filter(Boolean).join(' · '),
    start,
    // What lasts past midnight is drawn on the day on which it begins.
    end: end > midnight ? midnight : end,
    color: COLOURS[status],
    variant: 'light',
    resourceId: moved?.resource ?? resourceOf(appointment),
    payload: { appointment },
  };
}

const hourOf = (time: string) => Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;
const written = (hour: number) => (hour >= 24 ? '23:59:59' : `${String(hour).padStart(2, '0')}:00:00`);

/** From when to when the grid goes: while a branch is open, and as far as appointments reach. */
export function hoursOf(
  branches: Premises['branches'],
  days: { first: string; last: string },
  events: AgendaEvent[],
): { startTime: string; endTime: string } {
  let [first, last] = [24, 0];
  for (let date = days.first; date <= days.last; date = addDays(date, 1)) {
    const name = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'monday';
    for (const open of branches.flatMap((branch) => branch.hours?.weekly?.[name] ?? [])) {
      const [from, to] = [hourOf(open.from), hourOf(open.to)];
      first = Math.min(first, from);
      last = Math.max(last, to <= from ? 24 : to);
    }
  }
  if (first > last) [first, last] = [USUAL.first, USUAL.last];
  for (const event of events) {
    first = Math.min(first, hourOf(String(event.start).slice(11)));
    last = Math.max(last, hourOf(String(event.end).slice(11)) || 24);
  }
  return { startTime: written(Math.floor(first)), endTime: written(Math.ceil(last)) };
}

/** The columns of a day: people, tables, and the branch for what nobody in particular attends. */
export type Column = {
  id: string;
  kind: 'staff' | 'table' | 'branch';
  name: string;
  detail?: string;
  /** Where somebody attends. */
  branches?: string[];
};

export function columnsOf(
  premises: Premises,
  appointments: Appointment[],
  { branch, staff }: { branch?: string; staff?: string },
): Column[] {
  const here = (id: string) => !branch || id === branch;
  const people = premises.staff
    .filter((one) => (staff ? one.id === staff : !branch || (one.branches ?? []).includes(branch)))
    .map((one): Column => {
      const detail = one.specialty ?? one.role ?? undefined;
      const branches = one.branches ?? [];
      return { id: one.id, kind: 'staff', name: one.name, branches, ...(detail ? { detail } : {}) };
    });
  if (staff) return people;
  const tables = premises.tables
    .filter((table) => here(table.branch_id))
    .map((table): Column => ({ id: table.id, kind: 'table', name: table.name, detail: String(table.seats) }));
  const known = new Set([...people, ...tables].map((column) => column.id));
  const others = new Map<string, Column>();
  for (const appointment of appointments) {
    const id = resourceOf(appointment);
    if (known.has(id)) continue;
    const name = appointment.staff_name ?? appointment.table_name ?? appointment.branch_name;
    const kind = appointment.staff_id ? 'staff' : appointment.table_id ? 'table' : 'branch';
    others.set(id, { id, kind, name });
  }
  return [...people, ...tables, ...others.values()];
}
