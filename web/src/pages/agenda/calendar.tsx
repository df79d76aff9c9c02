import '@mantine/schedule/styles.css';
import { Box, ScrollArea, Text } from '@mantine/core';
import { DayView, type ScheduleEventData, WeekView } from '@mantine/schedule';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../i18n';
import classes from './agenda.module.css';
import { wallClock } from './clock';
import { EventBody } from './event';
import type { Appointment, Premises } from './queries';
import { type AgendaEvent, type Column, keepsTime } from './shown';

export type CalendarProps = {
  date: string;
  /** The clock by which it is now. */
  zone: string;
  events: AgendaEvent[];
  hours: { startTime: string; endTime: string };
  services: Premises['services'];
  open: (appointment: Appointment) => void;
  day: (date: string) => void;
  pick: (start: string, column?: Column) => void;
  drop: (appointment: Appointment, start: string, column?: Column) => void;
};

/** Starts that most services have, when that of a dragged one is not known. */
const USUAL_STEP = 15;
const LABELLED = { dayViewScrollArea: classes.plain ?? '' };
const UNLABELLED = { ...LABELLED, dayViewSlotLabels: classes.unlabelled ?? '' };

type Step = [number, (minutes: number) => void];

const appointmentOf = (event: ScheduleEventData) =>
  (event.payload as { appointment: Appointment }).appointment;

/** What all views have in common. */
function useView(
  { zone, events, hours, services, open, pick, drop }: CalendarProps,
  [step, setStep]: Step,
  column?: Column,
) {
  const t = useTexts();
  const locale = useLanguage();
  return {
    locale,
    ...hours,
    intervalMinutes: 30,
    slotHeight: 96,
    withHeader: false,
    labels: t.agenda.labels,
    events,
    getCurrentTime: () => wallClock(new Date(), zone),
    renderEventBody: (event: ScheduleEventData) => (
      <EventBody event={event as AgendaEvent} withPerson={!column} />
    ),
    onEventClick: (event: ScheduleEventData) => open(appointmentOf(event)),
    onTimeSlotClick: ({ slotStart }: { slotStart: string }) => pick(slotStart, column),
    withEventsDragAndDrop: true,
    // Bookings begin only where their service lets them, so that a drop lands on such a start.
    eventDragInterval: step,
    canDragEvent: (event: ScheduleEventData) => keepsTime(appointmentOf(event)),
    onEventDragStart: (event: ScheduleEventData) => {
      const service = services.find((one) => one.id === appointmentOf(event).service_id);
      setStep(service?.step_minutes && 60 % service.step_minutes === 0 ? service.step_minutes : USUAL_STEP);
    },
    onEventDrop: ({ event, newStart }: { event: ScheduleEventData; newStart: string }) => {
      if (newStart !== event.start) drop(appointmentOf(event), newStart);
    },
  };
}

export function DayCalendar(props: CalendarProps) {
  const view = useView(props, useState(USUAL_STEP));
  return <DayView {...view} date={props.date} withAllDaySlot={false} />;
}

export function WeekCalendar(props: CalendarProps) {
  const view = useView(props, useState(USUAL_STEP));
  return (
    <WeekView
      {...view}
      date={props.date}
      withAllDaySlots={false}
      withWeekNumber={false}
      weekdayFormat="ddd"
      firstDayOfWeek={1}
      highlightToday
      weekendDays={[]}
      onDateChange={props.day}
    />
  );
}

/** A day with a column for everybody who attends, between which appointments can be dragged. */
export function ColumnsCalendar({ columns, ...props }: CalendarProps & { columns: Column[] }) {
  const t = useTexts();
  const step = useState(USUAL_STEP);
  return (
    <ScrollArea.Autosize
      className={classes.scroll}
      mah="75vh"
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t.agenda.views.resources }}
    >
      <div className={classes.columns}>
        {columns.map((column, at) => (
          <ColumnView key={column.id} {...props} step={step} column={column} labelled={at === 0} />
        ))}
      </div>
    </ScrollArea.Autosize>
  );
}

function ColumnView({
  column,
  labelled,
  step,
  ...props
}: CalendarProps & { column: Column; labelled: boolean; step: Step }) {
  const t = useTexts();
  const own = props.events.filter((event) => event.resourceId === column.id);
  const view = useView({ ...props, events: own }, step, column);
  return (
    <Box
      className={classes.column}
      role="group"
      aria-label={column.name}
      // The calendar takes what comes from beside it for a copy, which an appointment is not.
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('application/json')) event.dataTransfer.dropEffect = 'move';
      }}
    >
      <div className={classes.heading}>
        <Text size="sm" fw={600} truncate title={column.name}>
          {column.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {column.kind === 'table' && column.detail ? t.agenda.seats(Number(column.detail)) : column.detail}
        </Text>
      </div>
      <DayView
        {...view}
        radius={0}
        classNames={labelled ? LABELLED : UNLABELLED}
        __vars={{ '--day-view-slot-labels-width': labelled ? '3.5rem' : '0rem' }}
        date={props.date}
        withAllDaySlot={false}
        withCurrentTimeBubble={labelled}
        onExternalEventDrop={(data, start) => {
          const dropped = props.events.find((event) => event.id === droppedId(data));
          if (dropped) props.drop(appointmentOf(dropped), start, column);
        }}
      />
    </Box>
  );
}

/** Which appointment was dropped, when it was one at all. */
function droppedId(data: DataTransfer): string | undefined {
  try {
    return (JSON.parse(data.getData('application/json')) as { eventId?: string }).eventId;
  } catch {
    return undefined;
  }
}
