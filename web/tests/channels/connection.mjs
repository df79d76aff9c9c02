// Connecting an account, looking at what there is to see of it, and taking it away.
import { settled } from '../support/browser.mjs';
import { ACCOUNT, NAME } from './account.mjs';

export async function connects({ page, base, place, simulator, problems, step, looksGood }) {
  step('what a channel needs is said before anything is asked for');
  await page.goto(`${place}/channels`);
  await page.getByText('Aún no hay canales conectados').waitFor();
  await looksGood('channels, none');
  await page.getByRole('link', { name: 'Conectar un canal' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: /TikTok/ })
    .waitFor();
  await looksGood('channels to choose from');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^WhatsApp/ })
    .click();
  await page.getByRole('heading', { name: 'Qué necesitas' }).waitFor();
  await looksGood('what WhatsApp needs');
  await page.getByRole('button', { name: 'Ya lo tengo todo' }).click();

  step('an account is connected, and what is missing is said beside its field');
  const submit = page.getByRole('button', { name: 'Conectar', exact: true });
  await submit.click();
  await page.getByText('Hace falta.').first().waitFor();
  await looksGood('an account with problems');
  await page.getByLabel('Cómo lo llamas').fill(NAME);
  await page.getByLabel('Identificador del número').fill(ACCOUNT.account_id);
  await page.getByLabel('Identificador de la cuenta de WhatsApp Business').fill(ACCOUNT.parent_id);
  await page.getByLabel('Clave de acceso (token)').fill(ACCOUNT.token);
  await page.getByLabel('Clave secreta de la app').fill(ACCOUNT.app_secret);
  await submit.click();

  step('its address is shown, and WhatsApp finds us there');
  await page.getByRole('heading', { name: 'Dirección de entrega' }).waitFor();
  const address = await page.getByText(`${base}/api/webhooks/whatsapp/`).first().textContent();
  const word = await page.getByText(/^qv_/).first().textContent();
  await looksGood('the address of a channel');
  await simulator.connect({ ...ACCOUNT, verify_token: word, webhook_url: address });
  const verified = await simulator.verify(ACCOUNT.account_id);
  if (!verified.right) problems.push(`the address that is shown is not taken: ${verified.reason}`);
  await page.getByRole('button', { name: 'Ya lo pegué: probar' }).click();
}

export async function looksAround({ page, place, step, looksGood }) {
  step('what there is to see of the channel');
  await page.goto(`${place}/channels`);
  await page.getByRole('link', { name: new RegExp(NAME) }).waitFor();
  await looksGood('channels');
  await page.getByRole('link', { name: new RegExp(NAME) }).click();
  await page.getByRole('heading', { name: NAME }).waitFor();
  await page.getByText('/api/webhooks/whatsapp/').first().waitFor();
  await looksGood('a channel');
  for (const [tab, seen] of [
    ['Ajustes', 'Plantilla para recordar citas'],
    ['Enviados', 'Plantilla recordatorio_de_cita'],
    ['Plantillas', 'Hola {{1}}, te recordamos tu cita del {{2}}.'],
    ['Costo', 'Mensajes enviados'],
  ]) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByText(seen).first().waitFor();
    await settled(page);
    await looksGood(`a channel, ${tab}`);
  }

  step('its agent returns later, and appointments are reminded of with a template');
  await page.getByRole('tab', { name: 'Ajustes' }).click();
  await page.getByLabel('El agente vuelve después de, en minutos').fill('90');
  await page.getByRole('combobox', { name: 'Plantilla para recordar citas' }).click();
  await page.getByRole('option', { name: 'recordatorio_de_cita (es)' }).click();
  await page.getByText('Esta plantilla tiene 2 huecos').waitFor();
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await page.getByText('Canal guardado').waitFor();
  await page.reload();
  const minutes = page.getByLabel('El agente vuelve después de, en minutos');
  await minutes.waitFor();
  if ((await minutes.inputValue()) !== '90') throw new Error('the settings of a channel were not kept');
}

export async function pausesAndEnds({ page, step, looksGood }) {
  step('it is paused');
  await page.getByRole('tab', { name: 'Estado' }).click();
  await page.getByRole('button', { name: 'Poner en pausa' }).click();
  await page.getByText('En pausa. Lo que escriben llega a Conversaciones').waitFor();
  await looksGood('a paused channel');

  step('it is taken away, once it was said what goes');
  await page.getByRole('tab', { name: 'Ajustes' }).click();
  await page.getByRole('button', { name: 'Desconectar', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Las conversaciones y los clientes se quedan').waitFor();
  await looksGood('the end of a channel');
  await dialog.getByRole('button', { name: 'Desconectar' }).click();
  await page.getByText(`${NAME} está desconectado`).waitFor();
  await page.getByText('Aún no hay canales conectados').waitFor();
}
