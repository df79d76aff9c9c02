// A draft of the agent: saved, rehearsed and published.
import { PATIENCE } from '../support/server.mjs';

export async function rehearseDraft({ page, base, tenant, agent, api, step }) {
  step('a draft of the agent');
  await page.goto(`${base}/t/${tenant}/agents/${agent}?tab=settings`);
  await page
    .getByLabel('Lo que le dices a este agente')
    .fill('Saluda por su nombre a quien vuelve y termina con una pregunta.');
  await page.getByRole('button', { name: 'Guardar borrador' }).click();
  await page.getByText('Hay un borrador sin publicar').waitFor();
  await page.getByRole('button', { name: 'Ver diferencias' }).click();
  const changes = page.getByRole('dialog', { name: 'Qué cambia el borrador' });
  await changes.getByText('Saluda por su nombre').first().waitFor();
  await page.keyboard.press('Escape');
  const live = await api.get(`/api/v1/agents/${agent}`);
  if (/Saluda/.test(JSON.stringify(live.settings)))
    throw new Error('the draft is live before it is published');

  step('it is rehearsed');
  await page.getByRole('tab', { name: 'Ensayos' }).click();
  await page.getByRole('button', { name: 'Nuevo guion' }).click();
  const script = page.getByRole('dialog', { name: 'Nuevo guion' });
  await script.getByLabel('Nombre del guion').fill('Precio del examen');
  await script.getByLabel('Qué dice el cliente').fill('¿cuánto cuesta el examen de la vista?');
  await script.getByLabel('Debe decir', { exact: true }).fill('45 soles');
  await page.keyboard.press('Enter');
  await script.getByLabel('Debe citar de dónde lo tomó').check();
  await script.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('1 mensaje · 2 expectativas').waitFor();
  await page.getByRole('button', { name: 'Ensayar', exact: true }).click();
  const start = page.getByRole('dialog', { name: 'Ensayar al agente' });
  await start.getByRole('radio', { name: 'Al borrador' }).waitFor();
  if (!(await start.getByRole('radio', { name: 'Al borrador' }).isChecked()))
    throw new Error('the draft is not what is rehearsed');
  await start.getByRole('button', { name: 'Ensayar', exact: true }).click();
  await page.getByText('Terminado').waitFor({ timeout: PATIENCE });
  await page.getByText('Todo como se espera').waitFor();
  await page.getByText('45 soles').first().waitFor();

  step('and published');
  await page.getByRole('button', { name: 'Publicar', exact: true }).click();
  const publish = page.getByRole('dialog', { name: 'Publicar el borrador' });
  await publish.getByLabel('Nota').fill('Saludar por el nombre');
  await publish.getByRole('button', { name: 'Publicar', exact: true }).click();
  await page.getByText(/^Publicado como versión \d+/).waitFor();
  await page.getByText('Hay un borrador sin publicar').waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: 'Versiones' }).click();
  await page.getByText('Saludar por el nombre').waitFor();
}
