import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDialog, GuardedDrawer } from '../../parts/guarded-dialog';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import type { AgendaSearch } from '../../routes/agenda';
import classes from './agenda.module.css';
import { ColumnsCalendar, DayCalendar, WeekCalendar } from './calendar';
import { todayIn } from './clock';
import { type Beginning, NewAppointment } from './create';
import { AppointmentDetails } from './details';
import { useFormats } from './formats';
import { AppointmentList } from './list';
import { useMove } from './moves';
import {
  type Appointment,
  appointmentOf,
  appointmentsOf,
  type Premises,
  premisesOf,
  tenantOf,
} from './queries';
import { RescheduleForm } from './reschedule';
import { columnsOf, daysOf, eventOf, hoursOf, instantsOf, statusOf } from './shown';
import { AgendaToolbar } from './toolbar';

const ROUTE = '/inside/t/$tenant/agenda';

export function AgendaPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: ROUTE });
  const place = useQuery(tenantOf(tenant));
  const premises = useQuery(premisesOf(tenant));
  const failure = place.isError ? place : premises.isError ? premises : undefined;
  if (place.data && premises.data)
    return <Agenda tenant={tenant} place={place.data} premises={premises.data} />;
  return (
    <Page title={t.agenda.title}>
      {failure ? <FailureNotice error={failure.error} again={failure.refetch} /> : <ListSkeleton rows={8} />}
    </Page>
  );
}

type Props = { tenant: string; place: Schemas['Tenant']; premises: Premises };

function Agenda({ tenant, place, premises }: Props) {
  const t = useTexts();
  const formats = useFormats(place);
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/agenda' });
  const go = (changed: Partial<AgendaSearch>) => navigate({ search: (old) => ({ ...old, ...changed }) });
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const asked = search.view ?? (narrow ? 'day' : 'week');
  // Seven columns do not fit on a telephone.
  const view = narrow && asked === 'week' ? 'list' : asked;

  const branches = premises.branches.filter((one) => !search.branch || one.id === search.branch);
  const zones = [...new Set(branches.map((one) => one.time_zone ?? place.time_zone))];
  const zone = zones.length === 1 && zones[0] ? zones[0] : place.time_zone;
  const today = todayIn(zone);
  const date = search.date ?? today;
  const days = daysOf(view, date);
  const range = instantsOf(days, zones.length > 0 ? zones : [zone]);
  const { branch, staff } = search;
  const list = useQuery(appointmentsOf(tenant, { ...range, branch, staff }));

  const { move, under, refused, forget } = useMove(tenant);
  const [making, setMaking] = useState<Beginning>();
  const [moving, setMoving] = useState<Appointment>();
  const all = search.all ?? false;
  const { first, last } = days;
  const appointments = useMemo(
    () => (list.data?.appointments ?? []).filter((one) => all || !isOver(one)),
    [list.data, all],
  );
  const events = useMemo(
    () =>
      appointments
        .map((one) => {
          if (under?.appointment.id !== one.id) return eventOf(one);
          return eventOf(one, { start: under.start, resource: under.column?.id });
        })
        .filter(({ start }) => String(start).slice(0, 10) >= first && String(start).slice(0, 10) <= last),
    [appointments, under, first, last],
  );
  const open = (appointment: Appointment) => go({ appointment: appointment.id });
  const shown = {
    date,
    zone,
    events,
    hours: hoursOf(branches, days, events),
    services: premises.services,
    open,
    day: (day: string) => go({ view: 'day', date: day }),
    pick: (start: string, column?: { id: string; kind: string }) =>
      setMaking({
        date: start.slice(0, 10),
        time: start.slice(11, 16),
        branch,
        staff: column?.kind === 'staff' ? column.id : staff,
      }),
    drop: (appointment: Appointment, start: string, column?: Parameters<typeof move>[0]['column']) =>
      move({ appointment, start, column }),
  };
  const columns = columnsOf(premises, appointments, { branch, staff });
  const create = <Button onClick={() => setMaking({ date, branch, staff })}>{t.agenda.create}</Button>;
  return (
    <Page title={t.agenda.title} actions={create}>
      <Stack gap="sm">
        <AgendaToolbar {...{ search, view, date, today, premises, formats, go }} narrow={narrow} />
        {zones.length > 1 && (
          <Text size="sm" c="dimmed">
            {t.agenda.severalZones}
          </Text>
        )}
        {list.data?.more && <Alert color="ochre">{t.agenda.tooMany}</Alert>}
        {refused && (
          <Alert
            color="ochre"
            role="alert"
            withCloseButton
            closeButtonLabel={t.common.close}
            onClose={forget}
            title={t.agenda.stays(refused.appointment.customer_name ?? t.agenda.noName)}
          >
            <Group gap="sm">
              <Text size="sm">
                {refused.error instanceof Error ? refused.error.message : t.errors.broken}
              </Text>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  setMoving(refused.appointment);
                  forget();
                }}
              >
                {t.agenda.otherTimes}
              </Button>
            </Group>
          </Alert>
        )}
        {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
        {list.isPending && <ListSkeleton rows={8} />}
        {list.data && view === 'list' && events.length === 0 && (
          <EmptyState title={t.agenda.emptyTitle} text={t.agenda.emptyText} action={create} />
        )}
        {list.data && view === 'list' && <AppointmentList events={events} formats={formats} open={open} />}
        {list.data && view === 'resources' && columns.length === 0 && (
          <EmptyState title={t.agenda.noColumns} text={t.agenda.noColumnsText} />
        )}
        {list.data && view !== 'list' && (
          <div className={classes.frame}>
            {view === 'day' && <DayCalendar {...shown} />}
            {view === 'week' && <WeekCalendar {...shown} />}
            {view === 'resources' && columns.length > 0 && <ColumnsCalendar {...shown} columns={columns} />}
          </div>
        )}
      </Stack>
      <OpenAppointment
        {...{ tenant, formats }}
        id={search.appointment}
        close={() => go({ appointment: undefined })}
        reschedule={setMoving}
      />
      <GuardedDialog
        opened={making !== undefined}
        onClose={() => setMaking(undefined)}
        title={t.agenda.create}
      >
        {making && (
          <NewAppointment
            {...{ tenant, premises, formats, today }}
            from={making}
            made={(appointment) => {
              setMaking(undefined);
              open(appointment);
            }}
          />
        )}
      </GuardedDialog>
      <GuardedDialog
        opened={moving !== undefined}
        onClose={() => setMoving(undefined)}
        title={t.agenda.reschedule}
      >
        {moving && (
          <RescheduleForm
            {...{ tenant, premises, formats }}
            appointment={moving}
            close={() => setMoving(undefined)}
          />
        )}
      </GuardedDialog>
    </Page>
  );
}

/** Its time was given back, so that it is only in the way. */
const isOver = (appointment: Appointment) => ['cancelled', 'expired'].includes(statusOf(appointment));

function OpenAppointment({
  tenant,
  id,
  formats,
  close,
  reschedule,
}: {
  tenant: string;
  id: string | undefined;
  formats: ReturnType<typeof useFormats>;
  close: () => void;
  reschedule: (appointment: Appointment) => void;
}) {
  const t = useTexts();
  const found = useQuery({ ...appointmentOf(tenant, id ?? ''), enabled: id !== undefined });
  return (
    <GuardedDrawer
      opened={id !== undefined}
      onClose={close}
      title={found.data?.customer_name ?? t.agenda.appointment}
    >
      {id !== undefined && found.isPending && <ListSkeleton />}
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {id !== undefined && found.data && (
        <AppointmentDetails
          tenant={tenant}
          appointment={found.data}
          formats={formats}
          reschedule={() => reschedule(found.data)}
        />
      )}
    </GuardedDrawer>
  );
}
