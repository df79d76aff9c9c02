// Two servers on one PostgreSQL, each with a browser: what is changed in one is seen in the other within a
// second, without anybody asking for it.
//
// Usage: node two-processes.mjs PROGRAM DATABASE_URL
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, openContext, openPage, settled } from './support/browser.mjs';
import { ADMIN, enter, enterFirst } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeDatabase, makeFolder, removeFolder, startServer } from './support/server.mjs';

const [program, postgres = process.env.QUIPU_TEST_POSTGRES_URL] = process.argv.slice(2);
const TENANT = 'taqueria-el-comal-despierto';
/** What is wanted is a second, which is printed; a busy machine may take longer. */
const AT_MOST = 4_000;
const ROUNDS = 3;

await runTest('two-processes', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('two');
  defer(() => removeFolder(folder));
  const database = await makeDatabase(postgres);
  defer(database.drop);
  const settings = {
    QUIPU_MASTER_KEY: randomBytes(32).toString('base64'),
    QUIPU_STORAGE__URL: pathToFileURL(join(folder, 'originals')).href,
  };
  const start = async (name) => {
    const own = join(folder, name);
    const server = await startServer({ program, folder: own, database: database.url, settings });
    defer(server.stop);
    return server;
  };
  step('the first process, and the second beside it');
  const one = await start('one');
  const oneTime = await one.oneTime();
  const two = await start('two');
  const browser = await openBrowser();
  defer(() => browser.close());
  const here = await openPage(await openContext(browser), problems);
  const there = await openPage(await openContext(browser), problems);
  show(there);
  await enterFirst(here, one.base, oneTime);
  await enter(there, two.base, ADMIN);

  const slowest = new Map();
  /** Does something in one browser and measures until the other shows it. */
  const measure = async (what, act, seen) => {
    const from = Date.now();
    const done = act().then(() => Date.now());
    await seen().waitFor({ timeout: 15_000 });
    const took = Date.now() - from;
    await done;
    slowest.set(what, Math.max(slowest.get(what) ?? 0, took));
  };
  const open = async (path, heading) => {
    await here.goto(`${one.base}/t/${TENANT}${path}`);
    await there.goto(`${two.base}/t/${TENANT}${path}`);
    for (const page of [here, there]) {
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await settled(page);
    }
    // The streams of changes are opened with the pages.
    await here.waitForTimeout(1_500);
  };
  /** Calls the API of the first process from its page, with nothing in between. */
  const call = (path, body) =>
    here.evaluate(
      async ([to, tenant, sent]) => {
        const answer = await fetch(to, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Quipu-Tenant': tenant },
          body: JSON.stringify(sent),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json();
      },
      [path, TENANT, body],
    );

  step('a customer who is made in one is seen in the other');
  await open('/customers', 'Clientes');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const name = `Zenaida Ríos ${round}`;
    await measure(
      'a customer',
      () => call('/api/v1/leads', { name }),
      () => there.getByRole('link', { name }),
    );
  }

  step('what a customer writes to one is in the conversations of the other');
  await open('/conversations', 'Conversaciones');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const words = `¿A qué hora abren? (${round})`;
    await measure(
      'a message',
      () =>
        call('/api/agents/lupita/chat', {
          messages: [{ role: 'user', content: words }],
          user: `visitante-${round}`,
          stream: false,
        }),
      () =>
        there
          .locator('a')
          .filter({ hasText: 'Sin nombre' })
          .nth(round - 1),
    );
  }

  step('a question that is saved with the form of one is listed by the other');
  await open('/business/faqs', 'Preguntas frecuentes');
  await here.getByRole('button', { name: 'Nueva pregunta' }).first().click();
  const form = here.getByRole('dialog');
  await form.getByRole('textbox', { name: /^Pregunta/ }).fill('¿Tienen mesa para perros?');
  await form.getByRole('textbox', { name: /^Respuesta/ }).fill('Sí, en la terraza.');
  await measure(
    'a question',
    () => form.getByRole('button', { name: 'Guardar' }).click(),
    () => there.getByText('¿Tienen mesa para perros?').first(),
  );

  for (const [what, took] of slowest) {
    console.log(`          ${what}: seen in the other process after ${took} ms at most`);
    if (took > AT_MOST) problems.push(`${what} is seen in the other process after ${took} ms`);
  }
});
console.log('Two processes tell each other what changes.');
