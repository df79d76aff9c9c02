// A customer who writes over the channel, and what is seen of it in the inbox.
import { PATIENCE, until } from '../support/server.mjs';
import { ACCOUNT, ROSA } from './account.mjs';

const ANSWER = 'Buenas tardes, Rosa. Le escribe Carla, de recepción.';

export async function doctor({ page, simulator, step, looksGood }) {
  step('the channel is asked whether all is well, and the first message arrives');
  await page.getByRole('button', { name: 'Comprobar', exact: true }).click();
  await page.getByText('La clave funciona').waitFor();
  await page.getByText('Aún no llega ningún mensaje').waitFor();
  await simulator.write(ACCOUNT.account_id, ROSA, 'Hola, ¿a qué hora abren?');
  await page.getByText('Último mensaje recibido').waitFor();
  await looksGood('a channel that works');
}

export async function findsConversation({ page, simulator, step, looksGood }) {
  step('the conversation says until when somebody can write, and how far an answer came');
  await page.getByRole('link', { name: 'Ver las conversaciones' }).click();
  await page.getByRole('link', { name: /Rosa Quispe/ }).click();
  const strip = page.getByRole('group', { name: 'Canal de la conversación' });
  await strip.getByText(/Puedes escribir hasta/).waitFor();
  await page.getByRole('img', { name: 'Entregado' }).first().waitFor({ timeout: PATIENCE });
  await page.getByLabel('Escribe al cliente…').fill(ANSWER);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await strip.getByText(/El agente vuelve en/).waitFor();
  await until('what a person wrote did not arrive', async () => {
    const messages = await simulator.messages(ACCOUNT.account_id);
    return messages.some(({ text }) => text === ANSWER);
  });
  await page
    .getByRole('img', { name: /Esperando|Enviando/ })
    .first()
    .waitFor({ state: 'hidden' });
  await looksGood('a conversation on WhatsApp');
}

export async function sendsTemplate({ page, simulator, step, looksGood }) {
  step('outside the window nobody writes, and a template is sent');
  // The window closes after a day, for which nobody waits.
  const channel = '**/api/v1/conversations/*/channel';
  await page.route(channel, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), open: false } });
  });
  await page.reload();
  await page.getByText('Ventana cerrada').waitFor();
  if (await page.getByLabel('Escribe al cliente…').isEnabled())
    throw new Error('free text can be written outside the window');
  await looksGood('a closed window');
  await page.getByRole('button', { name: 'Enviar plantilla' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Plantilla' }).click();
  await page.getByRole('option', { name: 'recordatorio_de_cita (es)' }).click();
  await dialog.getByLabel('Hueco {{1}}').fill('Rosa');
  await dialog.getByLabel('Hueco {{2}}').fill('lunes a las 10:00');
  await dialog.getByText('Hola Rosa, te recordamos tu cita del lunes a las 10:00.').waitFor();
  await looksGood('a template');
  await dialog.getByRole('button', { name: 'Enviar plantilla' }).click();
  await page.getByText('Plantilla en camino').waitFor();
  await page.getByText('Plantilla recordatorio_de_cita').first().waitFor();
  await until('the template did not arrive', async () => {
    const messages = await simulator.messages(ACCOUNT.account_id);
    return messages.some(({ template }) => template === 'recordatorio_de_cita');
  });
  // What is being answered at this moment ends first.
  await page.unrouteAll({ behavior: 'wait' });
}
