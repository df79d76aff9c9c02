// Takes pictures of the pages, filled with a day of work: all of them in both languages and themes, wide and
// on a telephone, for whoever looks whether they are beautiful; or the few that the guide shows.
//
// Usage: node pictures.mjs PROGRAM FOLDER [all | guide] [PART OF A NAME]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { allPages, GUIDE } from './pictures/pages.mjs';
import { fillBusinesses } from './pictures/working.mjs';
import { signedIn } from './support/api.mjs';
import { openBrowser, openContext, openPage, settled } from './support/browser.mjs';
import { ADMIN, enterFirst, PASSWORD } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeFolder, removeFolder, startServer } from './support/server.mjs';

const [program, folder, which = 'all', part = ''] = process.argv.slice(2);
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

const everyWay = (pages) =>
  Object.entries(pages).flatMap(([name, path]) =>
    ['es', 'en'].flatMap((language) =>
      ['light', 'dark'].flatMap((scheme) =>
        Object.keys(SIZES).map((size) => ({
          name: `${name}-${language}-${scheme}-${size}`,
          path,
          language,
          scheme,
          size,
        })),
      ),
    ),
  );

await runTest('pictures', async ({ problems, defer, step, show }) => {
  const own = await makeFolder('pictures');
  defer(() => removeFolder(own));
  const server = await startServer({ program, folder: own });
  defer(server.stop);
  const { base } = server;
  const browser = await openBrowser();
  defer(() => browser.close());
  const context = await openContext(browser);
  const page = await openPage(context, problems);
  show(page);
  await enterFirst(page, base, await server.oneTime());
  step('a day of work');
  const api = await signedIn(base, ADMIN, PASSWORD);
  const places = await fillBusinesses(api);
  const pages = allPages(places);
  const shots = which === 'guide' ? GUIDE.map((one) => ({ ...one, path: pages[one.of] })) : everyWay(pages);
  await mkdir(folder, { recursive: true });
  step('the pictures');
  let language = '';
  // One language after the other, since each is loaded anew.
  const inOrder = shots
    .filter(({ name }) => name.includes(part))
    .sort((a, b) => a.language.localeCompare(b.language));
  for (const shot of inOrder) {
    await page.emulateMedia({ colorScheme: shot.scheme, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZES[shot.size]);
    if (shot.language !== language) {
      language = shot.language;
      await api.patch('/api/v1/auth/me', { language });
    }
    await page.goto(`${base}${shot.path}`);
    await page.getByRole('heading').first().waitFor();
    await settled(page);
    await shot.act?.(page);
    await page.screenshot({ path: join(folder, `${shot.name}.png`) });
  }
  console.log(`          ${inOrder.length} pictures in ${folder}`);
});
