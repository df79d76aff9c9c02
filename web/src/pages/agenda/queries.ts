import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';

export type Appointment = Schemas['Appointment'];

/** What may have changed meanwhile is asked for again this often. */
const AGAIN = 30_000;
const PAGE = 200;
/** More than this is not drawn at once: a branch or a person has to be chosen. */
const MOST_PAGES = 5;
const MINUTES = 60_000;

export const tenantOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'tenant'],
    queryFn: () => told(api.GET('/api/v1/tenant')),
    staleTime: 5 * MINUTES,
  });

/** Everything that can be chosen to book: branches, people, tables and services. */
export const premisesOf = (tenant: string) =>
  queryOptions({
    // Under what is read again when a branch, a person or a service is another.
    queryKey: [tenant, 'business', 'premises'],
    staleTime: MINUTES,
    queryFn: async () => {
      const params = { query: { limit: PAGE, active: true } };
      const [branches, staff, tables, services] = await Promise.all([
        told(api.GET('/api/v1/branches', { params })),
        told(api.GET('/api/v1/staff', { params })),
        told(api.GET('/api/v1/tables', { params })),
        told(api.GET('/api/v1/services', { params })),
      ]);
      const named = <T extends { name: string }>(list: T[]) =>
        list.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
      return {
        branches: named(branches.data),
        staff: named(staff.data),
        tables: named(tables.data),
        services: named(services.data),
      };
    },
  });

export type Premises = Awaited<ReturnType<NonNullable<ReturnType<typeof premisesOf>['queryFn']>>>;

export const appointmentsKey = (tenant: string) => [tenant, 'appointments'];

export type Range = { from: string; to: string; branch?: string; staff?: string };

/** What begins between two instants, as far as that can be drawn. */
export const appointmentsOf = (tenant: string, { from, to, branch, staff }: Range) =>
  queryOptions({
    queryKey: [...appointmentsKey(tenant), 'agenda', { from, to, branch, staff }],
    refetchInterval: AGAIN,
    queryFn: async () => {
      const found: Appointment[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = { from, to, branch_id: branch, staff_id: staff, limit: PAGE, cursor };
        const answer = await told(api.GET('/api/v1/appointments', { params: { query } }));
        found.push(...answer.data);
        cursor = answer.next_cursor ?? undefined;
        if (!cursor) break;
      }
      found.sort((a, b) => a.starts_at.localeCompare(b.starts_at));
      return { appointments: found, more: cursor !== undefined };
    },
  });

export const appointmentOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...appointmentsKey(tenant), 'one', id],
    queryFn: () =>
      told(api.GET('/api/v1/appointments/{appointment_id}', { params: { path: { appointment_id: id } } })),
  });

export type Wanted = {
  service_id: string;
  branch_id?: string;
  staff_id?: string;
  date: string;
  party?: number;
  urgent?: boolean;
  /** An appointment whose own time counts as free. */
  moving?: string;
};

export const slotsOf = (tenant: string, wanted: Wanted) =>
  queryOptions({
    queryKey: [tenant, 'availability', wanted],
    queryFn: () => told(api.GET('/api/v1/availability', { params: { query: wanted } })),
  });

/** The first free time of the next months. */
export const nextSlot = (wanted: Wanted) =>
  told(api.GET('/api/v1/availability', { params: { query: { ...wanted, days: 90, limit: 1 } } }));

export const customersOf = (tenant: string, q: string) =>
  queryOptions({
    queryKey: [tenant, 'agenda', 'customers', q],
    queryFn: () => told(api.GET('/api/v1/leads', { params: { query: { limit: 20, ...(q ? { q } : {}) } } })),
  });

export const customerOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, 'agenda', 'customer', id],
    staleTime: 5 * MINUTES,
    queryFn: () => told(api.GET('/api/v1/leads/{lead_id}', { params: { path: { lead_id: id } } })),
  });
