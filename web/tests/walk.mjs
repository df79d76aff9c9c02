// Walks through the pages as a new user does, in a real browser against a real server, and fails when a
// page breaks, a word is missing, a policy is violated or somebody cannot use it.
//
// Usage: node walk.mjs PROGRAM [FOLDER FOR SCREENSHOTS]
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const [program, pictures] = process.argv.slice(2);
const PASSWORD = 'el telar de la abuela';
const folder = await mkdtemp(join(tmpdir(), 'quipu-walk-'));

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

const port = await freePort();
const server = spawn(program, ['serve', '--data-dir', join(folder, 'data'), '--bind', `127.0.0.1:${port}`], {
  env: { ...process.env, NO_COLOR: '1' },
});
let printed = '';
for (const stream of [server.stdout, server.stderr]) {
  stream.on('data', (bytes) => {
    printed += bytes;
  });
}

async function until(what, look, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`${what}\n${printed.slice(-3000)}`);
}

const problems = [];
let browser;

async function looksGood(page, name) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(150);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      .analyze();
    for (const violation of violations) {
      const where = violation.nodes.map((node) => node.target.join(' ')).join('; ');
      problems.push(`${name}, ${scheme}: ${violation.id}: ${violation.help} (${where})`);
    }
    if (!pictures) continue;
    for (const [size, width] of [
      ['wide', 1280],
      ['phone', 360],
    ]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(pictures, `${name}-${scheme}-${size}.png`) });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
}

try {
  const oneTime = await until(
    'the server did not say its password',
    () => /(?:contraseña|password)[^\n]*?:\s*(\S+)/i.exec(printed)?.[1],
  );
  const base = `http://127.0.0.1:${port}`;
  await until('the server did not answer', () =>
    fetch(`${base}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  browser = await chromium.launch({
    executablePath: process.env.QUIPU_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const context = await browser.newContext({
    locale: 'es-PE',
    timezoneId: 'America/Lima',
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => problems.push(`a page broke: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text());
  });

  // The first time: the password of the console, and then one of their own.
  await page.goto(base);
  await looksGood(page, 'sign-in');
  await page.getByLabel('Correo').fill('admin@quipu.local');
  await page.getByLabel('Contraseña').fill(oneTime);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByLabel('Contraseña actual').fill(oneTime);
  await page.getByLabel('Contraseña nueva').fill(PASSWORD);
  await page.getByLabel('Otra vez').fill(PASSWORD);
  await looksGood(page, 'new-password');
  await page.getByRole('button', { name: 'Guardar y continuar' }).click();

  // A business of their own.
  await page.getByRole('button', { name: 'Crear un negocio' }).click();
  await page.getByLabel('Nombre del negocio').fill('Óptica Lúcuma');
  await looksGood(page, 'choose');
  await page.getByRole('button', { name: 'Crear un negocio' }).click();
  await page.getByRole('heading', { name: /^Hola/ }).waitFor();
  await looksGood(page, 'home');

  // An agent, and what it should know.
  await page.getByRole('link', { name: 'Agentes', exact: true }).click();
  await page.getByRole('button', { name: 'Nuevo agente' }).click();
  await page.getByLabel('Nombre').fill('Lía');
  await page.getByRole('dialog').getByRole('button', { name: 'Nuevo agente' }).click();
  const file = join(folder, 'precios.txt');
  await writeFile(
    file,
    'Examen de la vista\n\nEl examen de la vista cuesta 45 soles y dura veinte minutos.\n',
  );
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Listo', { exact: true }).waitFor({ timeout: 60_000 });
  await looksGood(page, 'agent-knowledge');

  // It answers from it, and says from where.
  await page.getByRole('tab', { name: 'Probar' }).click();
  await page.getByLabel('Escribe como un cliente…').fill('¿cuánto cuesta el examen de la vista?');
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByText('45 soles').first().waitFor();
  const source = page.getByRole('log').getByRole('link');
  await source.first().waitFor();
  await page.getByRole('button', { name: '¿Por qué respondió eso?' }).click();
  await page.getByRole('table', { name: 'Pasos' }).getByText('supervisor').waitFor();
  await looksGood(page, 'playground');
  await source.first().click();
  await page.getByText('Fragmento 1').waitFor();
  await looksGood(page, 'chunks');

  // A knowledge base, searched on trial.
  await page.getByRole('link', { name: 'Conocimiento', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Conocimiento' }).waitFor();
  await page.getByRole('button', { name: 'Nueva base' }).click();
  await page.getByLabel('Nombre').fill('Manual <img src=x onerror=alert(1)>');
  await page.getByRole('dialog').getByRole('button', { name: 'Nueva base' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Listo', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Probar búsqueda' }).click();
  await page.getByLabel('Pregunta como lo haría un cliente').fill('precio del examen de la vista');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.locator('mark').first().waitFor();
  await looksGood(page, 'trial');
  await page.getByRole('link', { name: 'Conocimiento', exact: true }).first().click();
  await page.getByText('Manual <img').first().waitFor();
  await looksGood(page, 'knowledge');

  // The pages of a business that is at work, one after the other.
  for (const [tenant, path, heading] of [
    ['taqueria-el-comal-despierto', '', /^Hola/],
    ['taqueria-el-comal-despierto', '/conversations', 'Conversaciones'],
    ['taqueria-el-comal-despierto', '/customers', 'Clientes'],
    ['centro-medico-alba-andina', '/agenda', 'Agenda'],
    ['taqueria-el-comal-despierto', '/orders', 'Pedidos'],
    ['taqueria-el-comal-despierto', '/business', 'Negocio'],
    ['centro-medico-alba-andina', '/business/services', /Servicios/],
    ['centro-medico-alba-andina', '/business/branches', /Sedes|Sucursales|Locales/],
    ['taqueria-el-comal-despierto', '/figures', 'Métricas'],
    ['taqueria-el-comal-despierto', '/settings/team', /Equipo/],
  ]) {
    await page.goto(`${base}/t/${tenant}${path}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => {});
    await looksGood(page, `${tenant.split('-')[0]}${path.replaceAll('/', '-')}`);
  }

  // Two browsers see what the other does, without asking.
  const other = await context.newPage();
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

  // Settings, and everything in English at once.
  await page.getByRole('link', { name: 'Ajustes', exact: true }).click();
  await page.getByText('Tus sesiones').waitFor();
  await looksGood(page, 'settings');
  await page.getByRole('button', { name: 'Tu cuenta' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByText('Your sessions').waitFor();

  // By keyboard alone to the agents, and out again.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Agents');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Quipu' }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  if (/qs_/.test(stored)) problems.push('a token lies in the storage of the browser');
} catch (error) {
  problems.push(`${error.stack ?? error}`);
  if (pictures && browser) {
    const page = browser.contexts()[0]?.pages()[0];
    await page?.screenshot({ path: join(pictures, 'failed.png') }).catch(() => {});
  }
} finally {
  await browser?.close();
  server.kill();
  await rm(folder, { recursive: true, force: true });
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('The pages were walked through.');
