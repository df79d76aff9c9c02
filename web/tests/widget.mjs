// The chat of a business on its own site: a page of another origin, under a strict policy, in a real browser.
//
// Usage: node widget.mjs PROGRAM
import { gzipSync } from 'node:zlib';
import { signedIn } from './support/api.mjs';
import { fitsPhone, isUsable, openBrowser, openContext, openPage, toWide } from './support/browser.mjs';
import { ADMIN, PASSWORD } from './support/entry.mjs';
import { hostPage, serveHost } from './support/host.mjs';
import { runTest } from './support/report.mjs';
import { makeFolder, removeFolder, startServer, until } from './support/server.mjs';

const [program] = process.argv.slice(2);
const TENANT = 'clinica-dental-sonrisa';
const HEAVIEST = 25_000;
const HOSTILE = '<img src=x onerror=alert(1)> **y ya**';
/** News are asked for every twenty seconds while the chat is closed. */
const NEWS = 45_000;

/** The business, as whoever runs it. */
async function enterBusiness(server) {
  const oneTime = await server.oneTime();
  const first = await signedIn(server.base, ADMIN, oneTime);
  await first.post('/api/v1/auth/password', { current_password: oneTime, new_password: PASSWORD });
  return signedIn(server.base, ADMIN, PASSWORD, TENANT);
}

await runTest('widget', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('widget');
  defer(() => removeFolder(folder));
  const server = await startServer({ program, folder });
  defer(server.stop);
  const { base } = server;
  const business = await enterBusiness(server);

  step('a site is connected');
  const pages = {};
  const host = await serveHost(base, pages);
  defer(host.stop);
  const connected = await business.post('/api/v1/channels', {
    channel: 'web',
    name: 'El sitio',
    account_id: 'clinica',
    settings: {
      web: {
        allowed_origins: [host.origin],
        title: 'Clínica Sonrisa',
        greeting: '¡Hola! ¿En qué te ayudamos?',
        accent: '#b45309',
        privacy_note: 'Cuidamos tus datos: https://clinica.example/privacidad',
      },
    },
  });
  pages['/'] = hostPage(base, connected.id, 'es');
  pages['/en'] = hostPage(base, connected.id, 'en');

  step('the script is small');
  const script = await (await fetch(`${base}/widget/quipu-chat.js`)).text();
  const size = gzipSync(script).length;
  console.log(`          ${size} bytes compressed`);
  if (size > HEAVIEST) problems.push(`the script has ${size} bytes compressed, more than ${HEAVIEST}`);

  const browser = await openBrowser();
  defer(() => browser.close());
  const context = await openContext(browser);
  const page = await openPage(context, problems);
  show(page);
  page.on('dialog', async (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  const launcher = page.getByRole('button', { name: /^Abrir el chat/ });
  const chat = page.getByRole('dialog', { name: 'Clínica Sonrisa' });
  const log = chat.getByRole('log');
  const field = chat.getByLabel('Escribe un mensaje');
  const kept = () => page.evaluate(() => Object.keys(localStorage).length);
  const quiet = () =>
    until('an answer does not end', async () => (await log.getAttribute('aria-busy')) === null);
  const say = async (text) => {
    await quiet();
    await field.fill(text);
    await page.keyboard.press('Enter');
  };

  step('a visitor who only looks leaves nothing');
  await page.goto(`${host.origin}/`);
  await launcher.waitFor();
  await isUsable(page, 'widget, closed', problems);
  if ((await kept()) > 0) problems.push('something is kept of a visitor who only looks');

  step('asked and answered with the keyboard alone');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await chat.waitFor();
  await log.getByText('¡Hola! ¿En qué te ayudamos?').waitFor();
  await page.keyboard.type('¿cuánto cuesta la limpieza dental?');
  await page.keyboard.press('Enter');
  await log
    .getByText(/S\/\s?\d/)
    .first()
    .waitFor();
  if ((await kept()) !== 1) problems.push('the session of a visitor is not kept');
  if ((await context.cookies()).length > 0) problems.push('a cookie was set');
  for (let pressed = 0; pressed < 12; pressed += 1) {
    await page.keyboard.press(pressed < 6 ? 'Tab' : 'Shift+Tab');
    const where = await page.evaluate(() => document.activeElement?.tagName);
    if (where !== 'QUIPU-CHAT') problems.push(`the focus left the chat for ${where}`);
  }
  await isUsable(page, 'widget, open', problems);
  await fitsPhone(page, 'widget', problems);
  await isUsable(page, 'widget on a telephone', problems);
  await toWide(page);
  await page.keyboard.press('Escape');
  await chat.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await chat.waitFor();

  step('an answer is tapped');
  await quiet();
  const choices = chat.getByRole('group', { name: 'Respuestas sugeridas' });
  await choices.getByRole('button', { name: 'Sí', exact: true }).click();
  await log.getByText(/día/).first().waitFor();

  step('what is written stays text');
  await say(HOSTILE);
  await log.getByText(HOSTILE, { exact: true }).waitFor();
  await quiet();

  step('after a reload the conversation is there');
  const before = await log.locator('.row').count();
  await page.reload();
  await launcher.click();
  await log.getByText(HOSTILE, { exact: true }).waitFor();
  const after = await log.locator('.row').count();
  if (after !== before) problems.push(`${before} messages became ${after}`);

  step('a person takes over, and their words arrive');
  const [conversation] = (await business.get('/api/v1/conversations?sort=activity')).data;
  const path = `/api/v1/conversations/${conversation.id}`;
  const write = (text) => business.post(`${path}/messages`, { role: 'human', text });
  await page.keyboard.press('Escape');
  await write('Te escribe **Carla**. [Mapa](https://mapa.example/) y [malo](javascript:alert(1))');
  await page.getByRole('button', { name: 'Abrir el chat (1 mensaje sin leer)' }).click({ timeout: NEWS });
  await chat.getByText('Te atiende una persona del equipo.').waitFor();
  await log.locator('strong', { hasText: 'Carla' }).waitFor();
  const links = await log.getByRole('link').evaluateAll((all) => all.map((one) => one.href));
  if (!links.includes('https://mapa.example/')) problems.push(`the link is not among ${links}`);
  if (links.some((one) => !one.startsWith('https://'))) problems.push(`a link leads elsewhere: ${links}`);
  await isUsable(page, 'widget, with a person', problems);
  await write('¿Te va bien el martes?');
  await log.getByText('¿Te va bien el martes?').waitFor({ timeout: 15_000 });
  await say('Sí, el martes');
  await until('what the visitor says does not arrive', async () => {
    const { data } = await business.get(`${path}/messages`);
    return data.some((message) => message.text === 'Sí, el martes');
  });

  step('what could not be sent is sent again, once');
  await context.setOffline(true);
  await chat.getByText(/No hay conexión/).waitFor();
  await say('¿Me confirman?');
  const retry = chat.getByRole('button', { name: 'Reintentar' });
  await retry.waitFor();
  await context.setOffline(false);
  await chat.getByText(/No hay conexión/).waitFor({ state: 'hidden' });
  await retry.click();
  await retry.waitFor({ state: 'hidden' });
  const { data } = await business.get(`${path}/messages`);
  const sent = data.filter((message) => message.text === '¿Me confirman?').length;
  if (sent !== 1) problems.push(`a message that was sent again is there ${sent} times`);

  step('in English, where the page is');
  await page.goto(`${host.origin}/en`);
  await page.getByRole('button', { name: /^Open the chat/ }).click();
  await chat.getByLabel('Write a message').waitFor();

  step('on a site that is not allowed there is no chat');
  const elsewhere = await openPage(await openContext(browser), problems);
  await elsewhere.goto(`http://localhost:${host.port}/`);
  await elsewhere.waitForTimeout(3_000);
  if (await elsewhere.getByRole('button', { name: /chat/ }).count())
    problems.push('the chat is shown on a site that is not allowed');
});
console.log('The chat works on a site of another origin.');
