// An order that a customer gives by chat and a kitchen sees arrive.
const TENANT = 'taqueria-el-comal-despierto';

export async function orderArrives({ page, base, api, step }) {
  step('an order appears on the board');
  const place = api.in(TENANT);
  await page.goto(`${base}/t/${TENANT}/orders`);
  await page.getByRole('heading', { name: 'Pedidos' }).waitFor();
  await page.waitForTimeout(1_000);
  const write = (text) =>
    place.post('/api/agents/lupita/chat', {
      messages: [{ role: 'user', content: text }],
      user: 'beto-ruiz',
      stream: false,
    });
  await write(
    'Soy Beto Ruiz. Quiero tres tacos al pastor y una coca para recoger mañana a las 4 de la tarde en la Roma',
  );
  const { message } = await write('sí');
  const number = /pedido (\d+)/i.exec(message.content)?.[1];
  if (!number) throw new Error(`it was not taken: ${message.content}`);
  const card = page.getByRole('article').filter({ hasText: 'Beto Ruiz' });
  await card.waitFor({ timeout: 5_000 });
  await card.getByText(/3 × Taco al pastor/).waitFor();

  step('and goes on to the kitchen');
  await page.getByRole('button', { name: `Preparar · #${number}` }).click();
  await page.getByRole('button', { name: `Marcar listo · #${number}` }).waitFor();
  await page.getByRole('button', { name: `Ver el pedido #${number}` }).click();
  const drawer = page.getByRole('dialog', { name: `Pedido #${number}` });
  await drawer.getByText('Historial').waitFor();
  const [order] = (await place.get('/api/v1/orders')).data;
  if (order.status !== 'preparing') throw new Error(`the order is ${order.status}`);
  await page.keyboard.press('Escape');
}
