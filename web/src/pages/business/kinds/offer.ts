import type { Kind, Show } from './types';

type Prices = { price_min?: Money | null; price_max?: Money | null };
type Money = Parameters<Show['money']>[0];

function writePrices({ price_min, price_max }: Prices, show: Show): string | undefined {
  const least = price_min ?? price_max;
  if (!least) return undefined;
  const most = price_max ?? least;
  return most.amount === least.amount ? show.money(least) : `${show.money(least)} – ${show.money(most)}`;
}

export const services: Kind<'services'> = {
  name: 'services',
  title: 'name',
  table: true,
  group: { field: 'category' },
  blank: () => ({
    name: '',
    aliases: [],
    duration_minutes: 30,
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    step_minutes: 15,
    minimum_notice_minutes: 0,
    requires_consultation: false,
    urgent: false,
    booked_with: 'staff',
    staff: [],
    branches: [],
    active: true,
  }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'category', editor: 'suggest', max: 120, kind: 'services', field: 'category' },
        { name: 'description', editor: 'text', max: 4000 },
        { name: 'aliases', editor: 'tags', max: 120, most: 20 },
        { name: 'active', editor: 'switch' },
      ],
    },
    {
      title: 'price',
      fields: [
        { name: 'price_min', editor: 'money' },
        { name: 'price_max', editor: 'money' },
        { name: 'price_note', editor: 'line', max: 300 },
        { name: 'promotion', editor: 'promotion' },
      ],
    },
    {
      title: 'booking',
      fields: [
        { name: 'booked_with', editor: 'choice', from: 'bookedWith', required: true },
        { name: 'duration_minutes', editor: 'duration', min: 5, max: 1440, step: 5 },
        { name: 'buffer_before_minutes', editor: 'duration', min: 0, max: 240, step: 5, required: true },
        { name: 'buffer_after_minutes', editor: 'duration', min: 0, max: 240, step: 5, required: true },
        { name: 'step_minutes', editor: 'duration', min: 5, max: 1440, step: 5, required: true },
        { name: 'minimum_notice_minutes', editor: 'duration', min: 0, max: 527_040, required: true },
        { name: 'requires_consultation', editor: 'switch' },
        { name: 'urgent', editor: 'switch' },
      ],
    },
    {
      title: 'where',
      fields: [
        { name: 'staff', editor: 'references', kind: 'staff', most: 200 },
        { name: 'branches', editor: 'references', kind: 'branches', most: 200 },
      ],
    },
    { title: 'hours', fields: [{ name: 'hours', editor: 'hours', own: true }] },
  ],
  facts: [
    { label: 'category', text: (item) => item.category ?? undefined },
    {
      label: 'duration_minutes',
      text: (item, show) => (item.duration_minutes ? show.minutes(item.duration_minutes) : undefined),
      right: true,
      room: 'short',
    },
    { label: 'price_min', text: writePrices, right: true },
  ],
};

export const menuCategories: Kind<'menu-categories'> = {
  name: 'menu-categories',
  title: 'name',
  place: (item) => item.position ?? 0,
  blank: () => ({ name: '', position: 0, active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'description', editor: 'text', max: 2000 },
        { name: 'position', editor: 'number', min: 0, max: 10_000, required: true },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'description', text: (item) => item.description ?? undefined, room: 'long' },
    { label: 'position', text: (item) => String(item.position ?? 0), right: true, room: 'short' },
  ],
};

export const menuItems: Kind<'menu-items'> = {
  name: 'menu-items',
  title: 'name',
  table: true,
  group: { field: 'category' },
  place: (item) => item.position ?? 0,
  quick: 'available',
  blank: (currency) => ({
    name: '',
    aliases: [],
    price: { amount: 0, currency },
    options: [],
    allergens: [],
    tags: [],
    branches: [],
    available: true,
    position: 0,
    active: true,
  }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'category', editor: 'suggest', max: 120, kind: 'menu-categories', field: 'name' },
        { name: 'price', editor: 'money', required: true },
        { name: 'description', editor: 'text', max: 2000 },
        { name: 'available', editor: 'switch' },
        { name: 'active', editor: 'switch' },
      ],
    },
    { title: 'options', fields: [{ name: 'options', editor: 'options' }] },
    {
      title: 'details',
      fields: [
        { name: 'aliases', editor: 'tags', max: 120, most: 10 },
        { name: 'allergens', editor: 'tags', max: 120, most: 20 },
        { name: 'tags', editor: 'tags', max: 50, most: 20 },
        { name: 'branches', editor: 'references', kind: 'branches', most: 200 },
        { name: 'image_url', editor: 'line', max: 500, type: 'url' },
        { name: 'position', editor: 'number', min: 0, max: 10_000, required: true },
      ],
    },
  ],
  facts: [
    { label: 'category', text: (item) => item.category ?? undefined },
    {
      label: 'options',
      text: (item) => item.options?.map((group) => group.name).join(', '),
    },
    { label: 'price', text: (item, show) => show.money(item.price), right: true, room: 'short' },
  ],
};

export const deliveryZones: Kind<'delivery-zones'> = {
  name: 'delivery-zones',
  title: 'name',
  blank: (currency) => ({ name: '', aliases: [], fee: { amount: 0, currency }, active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'aliases', editor: 'tags', max: 120, most: 20 },
        { name: 'fee', editor: 'money', required: true },
        { name: 'minimum', editor: 'money' },
        { name: 'minutes', editor: 'duration', min: 1, max: 1440 },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'minutes', text: (item, show) => (item.minutes ? show.minutes(item.minutes) : undefined) },
    {
      label: 'minimum',
      text: (item, show) => (item.minimum ? show.money(item.minimum) : undefined),
      right: true,
    },
    { label: 'fee', text: (item, show) => show.money(item.fee), right: true },
  ],
};
