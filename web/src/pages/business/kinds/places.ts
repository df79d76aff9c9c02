import { NO_HOURS } from '../editors/clock';
import type { Kind } from './types';

export const branches: Kind<'branches'> = {
  name: 'branches',
  title: 'name',
  blank: () => ({
    name: '',
    phones: [],
    hours: NO_HOURS,
    capacity: 1,
    active: true,
  }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'address', editor: 'line', max: 300 },
        { name: 'city', editor: 'line', max: 120 },
        { name: 'maps_url', editor: 'line', max: 500, type: 'url' },
        { name: 'directions', editor: 'text', max: 2000 },
        { name: 'active', editor: 'switch' },
      ],
    },
    {
      title: 'contact',
      fields: [
        { name: 'phones', editor: 'tags', max: 40, most: 5 },
        { name: 'whatsapp', editor: 'line', max: 40, type: 'tel' },
        { name: 'email', editor: 'line', max: 254, type: 'email' },
      ],
    },
    { title: 'hours', fields: [{ name: 'hours', editor: 'hours', own: false }] },
    {
      title: 'booking',
      fields: [
        { name: 'capacity', editor: 'number', min: 1, max: 1000, required: true },
        { name: 'time_zone', editor: 'timeZone' },
      ],
    },
  ],
  facts: [
    { label: 'address', text: (item) => item.address ?? undefined, room: 'long' },
    { label: 'city', text: (item) => item.city ?? undefined },
    { label: 'phones', text: (item) => item.phones?.[0] },
  ],
};

export const staff: Kind<'staff'> = {
  name: 'staff',
  title: 'name',
  blank: () => ({ name: '', branches: [], time_off: [], active: true }),
  linked: { name: 'services', kind: 'services', by: 'staff' },
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'role', editor: 'line', max: 120 },
        { name: 'specialty', editor: 'line', max: 120 },
        { name: 'about', editor: 'text', max: 2000 },
        { name: 'active', editor: 'switch' },
      ],
    },
    {
      title: 'where',
      fields: [
        { name: 'branches', editor: 'references', kind: 'branches', most: 50 },
        { name: 'services', editor: 'references', kind: 'services', most: 2000 },
      ],
    },
    { title: 'hours', fields: [{ name: 'hours', editor: 'hours', own: true }] },
    { title: 'away', fields: [{ name: 'time_off', editor: 'timeOff' }] },
  ],
  facts: [
    { label: 'role', text: (item) => item.role ?? undefined },
    { label: 'specialty', text: (item) => item.specialty ?? undefined },
    { label: 'branches', text: (item, show) => item.branches?.map(show.branch).join(', ') },
  ],
};

export const tables: Kind<'tables'> = {
  name: 'tables',
  title: 'name',
  blank: () => ({ name: '', seats: 4, active: true }),
  group: { field: 'branch_id', text: (id, show) => show.branch(id) },
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'branch_id', editor: 'reference', kind: 'branches', required: true },
        { name: 'seats', editor: 'number', min: 1, max: 100, required: true },
        { name: 'area', editor: 'suggest', max: 120, kind: 'tables', field: 'area' },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'branch_id', text: (item, show) => show.branch(item.branch_id) },
    { label: 'area', text: (item) => item.area ?? undefined },
    { label: 'seats', text: (item, show) => show.t.business.seats(item.seats), right: true },
  ],
};
