// One journey as a person makes it, in Spanish, in a real browser against a real server: from the first
// start to the receipt of a deletion. What only a customer does goes through the API.
//
// Usage: node journey.mjs PROGRAM [DATABASE_URL of PostgreSQL]

import { bookAndMove } from './journey/agenda.mjs';
import { mendAnswer, searchOnTrial, talkWithAgent } from './journey/answers.mjs';
import { begin } from './journey/beginning.mjs';
import { deleteWithReceipt } from './journey/deletion.mjs';
import { speakEnglish, walkOnPhone } from './journey/elsewhere.mjs';
import { orderArrives } from './journey/orders.mjs';
import { rehearseDraft } from './journey/rehearsal.mjs';
import { takeOver } from './journey/takeover.mjs';
import { readWebsite } from './journey/website.mjs';
import { openBrowser, openContext, openPage } from './support/browser.mjs';
import { runTest } from './support/report.mjs';
import { makeDatabase, makeFolder, removeFolder, startServer } from './support/server.mjs';

const [program, postgres = process.env.QUIPU_JOURNEY_POSTGRES_URL] = process.argv.slice(2);

await runTest('journey', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('journey');
  defer(() => removeFolder(folder));
  const database = postgres ? await makeDatabase(postgres) : undefined;
  if (database) defer(database.drop);
  const settings = {
    // The website that is read lies on this machine.
    QUIPU_FETCH__ALLOW_NETWORKS: '["127.0.0.0/8"]',
    QUIPU_FETCH__SITE_PAUSE_MILLISECONDS: '50',
  };
  const server = await startServer({ program, folder, database: database?.url, settings });
  defer(server.stop);
  const browser = await openBrowser();
  defer(() => browser.close());
  const page = await openPage(await openContext(browser), problems);
  show(page);
  const world = { page, base: server.base, folder, problems, step, defer, oneTime: server.oneTime };

  await begin(world);
  await readWebsite(world);
  await searchOnTrial(world);
  await talkWithAgent(world);
  await mendAnswer(world);
  await takeOver(world);
  await rehearseDraft(world);
  await bookAndMove(world);
  await orderArrives(world);
  await speakEnglish(world);
  await walkOnPhone(world);
  await deleteWithReceipt(world);
});
console.log(`The journey was made${postgres ? ' on PostgreSQL' : ''}.`);
