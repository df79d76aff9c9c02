// A website whose pages become documents.

import { PATIENCE } from '../support/server.mjs';
import { serveSite, webPage } from '../support/site.mjs';

export async function readWebsite({ page, base, tenant, agent, api, step, defer }) {
  step('a website, and its pages become documents');
  const site = await serveSite({
    '/': webPage('Óptica Lúcuma', 'Somos una óptica de barrio con taller propio.'),
    '/horario': webPage(
      'Horario de la óptica',
      'Atendemos de lunes a sábado de nueve de la mañana a siete de la noche.\nLos domingos cerramos.',
    ),
    '/taller': webPage(
      'Taller de monturas',
      'El taller suelda monturas rotas en dos horas y la soldadura cuesta 25 soles.',
    ),
  });
  defer(site.stop);
  const { knowledge_base_id: kb } = await api.get(`/api/v1/agents/${agent}`);
  await page.goto(`${base}/t/${tenant}/knowledge/${kb}`);
  await page.getByRole('tab', { name: 'Sitios web' }).click();
  await page.getByRole('button', { name: 'Añadir sitio' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Dirección del sitio').fill(site.address);
  await form.getByRole('button', { name: 'Ver qué se leería' }).click();
  await form.getByText('3 páginas encontradas').waitFor();
  await form.getByRole('button', { name: 'Añadir sitio' }).click();
  const card = page.getByRole('region', { name: site.address });
  await card.getByText('Listo', { exact: true }).waitFor({ timeout: PATIENCE });
  await card.getByText(/^3 leídas/).waitFor();
  await card.getByRole('button', { name: 'Ver páginas' }).click();
  const pages = page.getByRole('dialog');
  await pages
    .getByText(/\/taller/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Documentos' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Taller de monturas' });
  await row.getByText('Listo', { exact: true }).waitFor({ timeout: PATIENCE });
}
