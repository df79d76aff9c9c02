// What attackers write stays text on every page, and whoever has the least role does no more than theirs.
//
// Usage: node inert.mjs PROGRAM
import { isInert, PAYLOADS, readable } from './inert/payloads.mjs';
import { pagesOf, plantAll } from './inert/planting.mjs';
import { checkMember } from './inert/roles.mjs';
import { signedIn } from './support/api.mjs';
import { fitsPhone, openBrowser, openContext, openPage, settled, toWide } from './support/browser.mjs';
import { ADMIN, enterFirst, PASSWORD } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeFolder, removeFolder, startServer } from './support/server.mjs';

const [program] = process.argv.slice(2);

await runTest('inert', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('inert');
  defer(() => removeFolder(folder));
  const server = await startServer({ program, folder });
  defer(server.stop);
  const { base } = server;
  const browser = await openBrowser();
  defer(() => browser.close());
  const page = await openPage(await openContext(browser), problems);
  show(page);
  page.on('dialog', async (dialog) => {
    if (dialog.type() !== 'beforeunload') problems.push(`${page.url()}: a dialog: ${dialog.message()}`);
    await dialog.dismiss().catch(() => {});
  });

  step('the payloads are planted');
  await enterFirst(page, base, await server.oneTime());
  const root = await signedIn(base, ADMIN, PASSWORD);
  const planted = await plantAll(root);
  console.log(`          refused by the server: ${planted.refused.join(', ') || 'nothing'}`);

  step('every page that shows them');
  let shown = 0;
  const blind = [];
  for (const path of pagesOf(planted)) {
    await page.goto(`${base}${path}`);
    await page.getByRole('heading').first().waitFor();
    await settled(page);
    await isInert(page, path, problems);
    const count = await readable(page);
    shown += count;
    if (count === 0) blind.push(path);
    await fitsPhone(page, path, problems);
    await isInert(page, `${path} on a telephone`, problems);
    await toWide(page);
  }
  console.log(`          read as text ${shown} times; not in sight on: ${blind.join(', ') || 'no page'}`);

  step('said in the playground, and searched for');
  await page.goto(`${base}/t/${planted.tenant}/agents/${planted.agent}`);
  for (const text of [PAYLOADS.picture, PAYLOADS.link, '¿Qué es el código drawing del corpus?']) {
    const answered = page.getByRole('button', { name: '¿Por qué respondió eso?' });
    const before = await answered.count();
    await page.getByLabel('Escribe como un cliente…').fill(text);
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await answered.nth(before).waitFor();
    await answered.nth(before).click();
    await page.getByRole('table', { name: 'Pasos' }).nth(before).waitFor();
  }
  await isInert(page, 'playground', problems);
  await fitsPhone(page, 'playground', problems);
  await toWide(page);
  await page.goto(`${base}/t/${planted.tenant}/knowledge/${planted.own}?tab=try`);
  await page.getByLabel('Pregunta como lo haría un cliente').fill(`código picture ${PAYLOADS.picture}`);
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.locator('mark').first().waitFor();
  await isInert(page, 'trial search', problems);
  await fitsPhone(page, 'trial search', problems);
  await page.context().close();

  const member = await checkMember({ browser, base, root, problems, step, show });
  console.log(`          ${member.refused} of ${member.tried} calls refused`);
});
console.log('Nothing that was planted ran, and everybody does only what is theirs.');
