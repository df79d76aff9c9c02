// A booking: made in the playground as a customer, seen in the agenda, dragged and moved by keyboard.
import { expectText, say } from './talk.mjs';

const TENANT = 'centro-medico-alba-andina';
const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];
const spoken = (date) => `${Number(date.slice(8))} de ${MONTHS[Number(date.slice(5, 7)) - 1]}`;

/** A day on which somebody has nine, ten and eleven o'clock free, so that a booking can be moved. */
async function freeDay(api) {
  const { data: services } = await api.get('/api/v1/services?limit=200');
  const { data: branches } = await api.get('/api/v1/branches');
  const service = services.find(({ name }) => name === 'Consulta de medicina general');
  const branch = branches.find(({ name }) => name === 'Sede Cedritos');
  const { slots } = await api.get(
    `/api/v1/availability?service_id=${service.id}&branch_id=${branch.id}&days=14&limit=500`,
  );
  const today = slots[0].date;
  const wanted = ['09:00', '10:00', '11:00'];
  const byDay = new Map();
  for (const { date, staff_id, time } of slots.filter((slot) => slot.date > today)) {
    const key = `${date} ${staff_id}`;
    byDay.set(key, [...(byDay.get(key) ?? []), time]);
  }
  for (const [key, times] of byDay) {
    if (wanted.every((time) => times.includes(time))) return { date: key.slice(0, 10) };
  }
  throw new Error('no day of the next two weeks has three free hours in a row');
}

export async function bookAndMove({ page, base, api, step, problems }) {
  step('a booking is made in the playground, as a customer');
  const clinic = api.in(TENANT);
  const { date } = await freeDay(clinic);
  const wish = `Quiero una consulta de medicina general el ${spoken(date)} a las 10 de la mañana en Cedritos`;
  await clinic.post('/api/v1/leads', { name: 'Rosa Quispe', phone: '+57 300 123 4567' });
  await page.goto(`${base}/t/${TENANT}/agents/lia`);
  await page.getByText('Un cliente', { exact: true }).click();
  await page.getByPlaceholder('Busca por nombre, teléfono o correo').fill('rosa q');
  await page.getByRole('option', { name: /Rosa Quispe/ }).click();
  await page.getByText('Lo que pidas se hace de verdad').waitFor();
  await say(page, `Me llamo Rosa Quispe y mi teléfono es 300 123 4567. ${wish}`);
  await expectText(page, /¿La confirmo\?/);
  if ((await clinic.get('/api/v1/appointments')).data.length > 0)
    problems.push('agenda: the playground booked before anybody said yes');
  await say(page, 'sí, confírmala');
  await expectText(page, /agendada/);

  step('and it is in the agenda');
  await page.goto(`${base}/t/${TENANT}/agenda?view=day&date=${date}`);
  await page.getByRole('heading', { name: 'Agenda' }).waitFor();
  const event = page.locator('[data-event-id]', { hasText: 'Rosa Quispe' }).first();
  await event.waitFor({ timeout: 5_000 });
  const [booked] = (await clinic.get('/api/v1/appointments')).data;
  const clock = async () => {
    const { starts_at: start, time_zone: zone } = await clinic.get(`/api/v1/appointments/${booked.id}`);
    return new Intl.DateTimeFormat('es', { timeStyle: 'short', timeZone: zone }).format(new Date(start));
  };

  step('it is dragged with the mouse');
  await event.scrollIntoViewIfNeeded();
  const from = await event.boundingBox();
  const target = page.getByRole('button', { name: /Nueva cita a las 11:00/ }).first();
  const to = await target.boundingBox();
  await page.mouse.move(from.x + 30, from.y + 6);
  await page.mouse.down();
  await page.mouse.move(from.x + 36, from.y + 14, { steps: 4 });
  await page.mouse.move(from.x + 30, to.y + 6, { steps: 10 });
  await page.mouse.up();
  await page.getByText('Cita reprogramada').first().waitFor();
  await page.locator('[data-event-id]', { hasText: /11:00\s+Rosa Quispe/ }).waitFor();
  if ((await clock()) !== '11:00') throw new Error(`dragged to 11:00, and it is at ${await clock()}`);

  step('and moved by keyboard through its dialog');
  await event.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Rosa Quispe' });
  await drawer.getByRole('button', { name: 'Reprogramar' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reprogramar' });
  const nine = dialog.getByRole('radio', { name: '09:00' });
  await nine.waitFor({ state: 'attached' });
  await nine.focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Reprogramar' }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.locator('[data-event-id]', { hasText: /09:00\s+Rosa Quispe/ }).waitFor();
  if (!/^0?9:00$/.test(await clock())) throw new Error(`moved to 9:00, and it is at ${await clock()}`);
}
