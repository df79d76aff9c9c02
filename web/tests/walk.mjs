// Walks through the pages as a new user does, in a real browser against a real server, and fails when a
// page breaks, a word is missing, a policy is violated or somebody cannot use it.
//
// Usage: node walk.mjs PROGRAM [FOLDER FOR SCREENSHOTS]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUsable, openBrowser, openContext, openPage, settled, toWide } from './support/browser.mjs';
import { enterFirst, makeAgent, makeTenant } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeFolder, PATIENCE, removeFolder, startServer } from './support/server.mjs';
import { isLight } from './support/weight.mjs';

const [program, pictures] = process.argv.slice(2);
const SIZES = { wide: 1280, phone: 360 };

await runTest('walk', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('walk');
  defer(() => removeFolder(folder));
  const server = await startServer({ program, folder });
  defer(server.stop);
  const { base } = server;
  const browser = await openBrowser();
  defer(() => browser.close());
  const context = await openContext(browser);
  const page = await openPage(context, problems);
  show(page);

  const looksGood = (name, of = page) =>
    isUsable(of, name, problems, async (scheme) => {
      if (!pictures) return;
      await mkdir(pictures, { recursive: true });
      for (const [size, width] of Object.entries(SIZES)) {
        await of.setViewportSize({ width, height: 800 });
        await of.waitForTimeout(400);
        await of.screenshot({ path: join(pictures, `${name}-${scheme}-${size}.png`) });
      }
      await toWide(of);
    });

  step('the first visit is quick');
  await isLight(browser, base, problems);

  step('the first time');
  await enterFirst(page, base, await server.oneTime(), { look: looksGood });

  step('a business of their own');
  await makeTenant(page, 'Óptica Lúcuma', { look: looksGood });
  await looksGood('home');

  await page.getByText('0 de 4 hechos').waitFor();

  step('an agent, and what it should know');
  await makeAgent(page, 'Lía');
  const file = join(folder, 'precios.txt');
  await writeFile(
    file,
    'Examen de la vista\n\nEl examen de la vista cuesta 45 soles y dura veinte minutos.\n',
  );
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('table').getByText('Listo', { exact: true }).first().waitFor({ timeout: PATIENCE });
  await looksGood('agent-knowledge');

  step('it answers from it, and says from where');
  await page.getByRole('tab', { name: 'Probar' }).click();
  await page.getByLabel('Escribe como un cliente…').fill('¿cuánto cuesta el examen de la vista?');
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByText('45 soles').first().waitFor();
  const source = page.getByRole('log').getByRole('link');
  await source.first().waitFor();
  await page.getByRole('button', { name: '¿Por qué respondió eso?' }).click();
  await page.getByRole('table', { name: 'Pasos' }).getByText('supervisor').waitFor();
  await looksGood('playground');
  await source.first().click();
  await page.getByText('Fragmento 1').waitFor();
  await looksGood('chunks');

  step('a knowledge base, searched on trial');
  await page.getByRole('link', { name: 'Conocimiento', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Conocimiento' }).waitFor();
  await page.getByRole('button', { name: 'Nueva base' }).click();
  await page.getByLabel('Nombre').fill('Manual <img src=x onerror=alert(1)>');
  await page.getByRole('dialog').getByRole('button', { name: 'Nueva base' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('table').getByText('Listo', { exact: true }).first().waitFor({ timeout: PATIENCE });
  await page.getByRole('tab', { name: 'Probar búsqueda' }).click();
  await page.getByLabel('Pregunta como lo haría un cliente').fill('precio del examen de la vista');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.locator('mark').first().waitFor();
  await looksGood('trial');
  await page.getByRole('tab', { name: 'Sitios web' }).click();
  await page.getByText('Aún no hay sitios web').waitFor();
  await looksGood('websites');
  await page.getByRole('button', { name: 'Añadir sitio' }).click();
  await page.getByLabel('Dirección del sitio').waitFor();
  await looksGood('website-form');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Conocimiento', exact: true }).first().click();
  await page.getByText('Manual <img').first().waitFor();
  await looksGood('knowledge');

  step('the pages of a business that is at work');
  for (const [tenant, path, heading] of [
    ['taqueria-el-comal-despierto', '', /^Hola/],
    ['taqueria-el-comal-despierto', '/conversations', 'Conversaciones'],
    ['taqueria-el-comal-despierto', '/customers', 'Clientes'],
    ['centro-medico-alba-andina', '/agenda', 'Agenda'],
    ['taqueria-el-comal-despierto', '/orders', 'Pedidos'],
    ['taqueria-el-comal-despierto', '/gaps', 'Brechas'],
    ['taqueria-el-comal-despierto', '/agents/lupita?tab=tools', 'Cambian algo'],
    ['taqueria-el-comal-despierto', '/agents/lupita?tab=prompt', 'Así lo lee el modelo'],
    ['taqueria-el-comal-despierto', '/agents/lupita?tab=model', 'Modelo'],
    ['taqueria-el-comal-despierto', '/agents/lupita?tab=versions', 'Lupita'],
    ['taqueria-el-comal-despierto', '/agents/lupita?tab=rehearsals', 'Guiones'],
    ['taqueria-el-comal-despierto', '/channels', 'Canales'],
    ['taqueria-el-comal-despierto', '/channels/connect?channel=instagram', 'Qué necesitas'],
    ['taqueria-el-comal-despierto', '/business', 'Negocio'],
    ['centro-medico-alba-andina', '/business/services', /Servicios/],
    ['centro-medico-alba-andina', '/business/branches', /Sedes|Sucursales|Locales/],
    ['taqueria-el-comal-despierto', '/figures', 'Métricas'],
    ['taqueria-el-comal-despierto', '/settings/team', /Equipo/],
    ['taqueria-el-comal-despierto', '/settings/plan', /Plan y uso/],
    ['taqueria-el-comal-despierto', '/settings/audit', /Auditoría/],
    ['taqueria-el-comal-despierto', '/settings/jobs', /Trabajos/],
    ['taqueria-el-comal-despierto', '/settings/leaving', /Llevarte tus datos/],
    ['taqueria-el-comal-despierto', '/settings/platform/health', /Estado del servidor/],
  ]) {
    await page.goto(`${base}/t/${tenant}${path}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await settled(page);
    await looksGood(`${tenant.split('-')[0]}${path.replaceAll(/[/?=]/g, '-')}`);
  }

  step('a draft of an agent is seen, tried, published and taken back');
  await page.goto(`${base}/t/taqueria-el-comal-despierto/agents`);
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Cómo es' }).click();
  await page.getByLabel('Lo que le dices a este agente').first().fill('Saluda.\nSé <b>breve</b>.');
  await page.getByRole('button', { name: 'Guardar borrador' }).click();
  await page.getByText('Hay un borrador sin publicar').waitFor();
  await page.getByRole('button', { name: 'Publicar', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Sé <b>breve</b>.').waitFor();
  await dialog.getByLabel('Nota').fill('Más breve');
  await looksGood('publish');
  await dialog.getByRole('button', { name: 'Publicar' }).click();
  await page.getByText('Publicado como versión 2').waitFor();
  await page.getByRole('tab', { name: 'Versiones' }).click();
  await page.getByText('Más breve').waitFor();
  await page.getByRole('button', { name: 'Comparar la versión 1 con lo publicado' }).click();
  await page.getByText('Sé <b>breve</b>.').waitFor();
  await looksGood('versions');
  await page.getByRole('button', { name: 'Volver a la versión 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Volver a esta' }).click();
  await page.getByText('Publicada como versión 3').waitFor();

  step('a tool is switched off in a draft, and the prompt says so before anybody publishes it');
  await page.getByRole('tab', { name: 'Herramientas' }).click();
  await page.getByRole('switch', { name: 'Usar get_available_slots' }).click({ force: true });
  await page.getByText('Apagada porque necesita get_available_slots').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Guardar borrador' }).click();
  await page.getByText('Hay un borrador sin publicar').waitFor();
  await page.getByRole('tab', { name: 'Prompt' }).click();
  await page.getByRole('button', { name: /^Herramientas.*Cambia/ }).click();
  await page.getByText('Aquí no puedes: agendar una reserva').waitFor();
  await looksGood('preview');
  await page.getByRole('tab', { name: 'Modelo' }).click();
  await page.getByRole('button', { name: 'Probar los modelos' }).click();
  await page.getByText(/^Funciona: /).waitFor();
  await page.getByRole('button', { name: 'Descartar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await page.getByText('Borrador descartado').waitFor();

  step('two tabs see what the other does, without asking');
  const other = await openPage(context, problems);
  await other.goto(`${base}/t/taqueria-el-comal-despierto/customers`);
  await other.getByRole('heading', { name: 'Clientes' }).waitFor();
  await page.goto(`${base}/t/taqueria-el-comal-despierto/customers`);
  await page.getByRole('heading', { name: 'Clientes' }).waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate(async () => {
    const made = await fetch('/api/v1/leads', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Quipu-Tenant': 'taqueria-el-comal-despierto' },
      body: JSON.stringify({ name: 'Zenaida <b>Ríos</b>' }),
    });
    if (made.status !== 201) throw new Error(await made.text());
  });
  await other.getByText('Zenaida <b>Ríos</b>').first().waitFor({ timeout: 3_000 });
  await other.close();

  step('two records of one customer become one, and the history of their temperature is there');
  await page.evaluate(async () => {
    for (const lead of [
      { name: 'Ramón Ríos', temperature: 'cold' },
      { name: 'moncho.r', email: 'moncho@correo.mx', temperature: 'hot' },
    ])
      await fetch('/api/v1/leads', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Quipu-Tenant': 'taqueria-el-comal-despierto' },
        body: JSON.stringify(lead),
      });
  });
  await page.goto(`${base}/t/taqueria-el-comal-despierto/customers?q=ramon`);
  await page.getByRole('link', { name: 'Ramón Ríos' }).click();
  await page.getByText('De Sin temperatura a Frío').waitFor();
  await page.getByRole('button', { name: 'Unir con otro cliente' }).click();
  await page.getByPlaceholder('Nombre, teléfono o correo').last().fill('moncho');
  await page.getByRole('option', { name: /moncho/ }).click();
  await page.getByRole('radio', { name: 'Caliente' }).check();
  await looksGood('merge');
  await page.getByRole('button', { name: 'Unir las fichas' }).click();
  await page.getByText('Ahora es una sola ficha: Ramón Ríos').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).last().click();
  await page.getByText('De Frío a Caliente').waitFor();
  await looksGood('customer');

  step('everything of a business in one file, and its end with the receipt');
  await page.goto(`${base}/t/optica-lucuma/settings/leaving`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar todo' }).click();
  if (!/^optica-lucuma-.*\.tar\.gz$/.test((await saved).suggestedFilename()))
    problems.push(`the copy is called ${(await saved).suggestedFilename()}`);
  await page.getByRole('button', { name: 'Borrar este negocio' }).click();
  const end = page.getByRole('dialog');
  await end.getByText('Esto se va').waitFor();
  await end.getByText('Documentos', { exact: true }).waitFor();
  await looksGood('end');
  await end.getByLabel('Escribe «Óptica Lúcuma» para confirmar').fill('Óptica Lúcuma');
  await end.getByRole('button', { name: 'Borrar para siempre' }).click();
  await end.getByText('No queda nada').waitFor();
  await looksGood('receipt');
  await end.getByRole('button', { name: 'Cerrar' }).last().click();
  await page.getByRole('heading', { name: '¿Con qué negocio trabajas?' }).waitFor();
  await page.goto(`${base}/t/taqueria-el-comal-despierto`);

  step('settings, and everything in English at once');
  await page.getByRole('link', { name: 'Ajustes', exact: true }).click();
  await page.getByText('Tus sesiones').waitFor();
  await looksGood('settings');
  await page.getByRole('button', { name: 'Tu cuenta' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByText('Your sessions').waitFor();

  step('by keyboard alone to the agents, and out again');
  await page.keyboard.press('Control+k');
  // Whoever types sees where before.
  await page.getByPlaceholder('Search or go to…').waitFor();
  await page.keyboard.type('Agents');
  await page.getByRole('button', { name: 'Agents', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Quipu' }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  if (/qs_/.test(stored)) problems.push('a token lies in the storage of the browser');
});
console.log('The pages were walked through.');
