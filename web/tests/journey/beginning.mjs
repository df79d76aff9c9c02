// The first start, a business, an agent and what it should know.
import { basename } from 'node:path';
import { signedIn } from '../support/api.mjs';
import { ADMIN, enterFirst, makeAgent, makeTenant, PASSWORD } from '../support/entry.mjs';
import { fiveFiles } from '../support/files.mjs';
import { PATIENCE } from '../support/server.mjs';

export async function begin(world) {
  const { page, base, step } = world;
  step('the first start: the password of the console, then one of their own');
  await enterFirst(page, base, await world.oneTime());

  step('a business and its agent');
  world.tenant = await makeTenant(page, 'Óptica Lúcuma', { plan: /profes/i });
  world.agent = await makeAgent(page, 'Lía');
  /** As the customer's side; the password is known by now. */
  world.api = await signedIn(base, ADMIN, PASSWORD, world.tenant);

  step('five files with their progress');
  const files = await fiveFiles(world.folder);
  // A slow line, on which a person sees each file on its way.
  const line = await page.context().newCDPSession(page);
  const speed = (latency) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  await line.send('Network.enable');
  await speed(1_500);
  await page.locator('input[type=file]').setInputFiles(files);
  for (const file of files) {
    await page.getByRole('progressbar', { name: `Subiendo ${basename(file)}` }).waitFor();
  }
  await speed(0);
  await line.detach();
  // A file that says its own title goes by that.
  for (const name of ['precios.txt', 'Garantía', 'lentes.csv', 'Estacionamiento', 'convenios.pdf']) {
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('Listo', { exact: true }).waitFor({ timeout: PATIENCE });
  }
}
