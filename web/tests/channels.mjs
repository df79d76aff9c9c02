// Connects an account of WhatsApp as whoever runs a business does, holds a conversation through it and takes
// it away again, in a real browser against a real server and stand-ins of the channels.
//
// Usage: node channels.mjs PROGRAM

import { connects, looksAround, pausesAndEnds } from './channels/connection.mjs';
import { doctor, findsConversation, sendsTemplate } from './channels/conversation.mjs';
import { fitsPhone, isUsable, openBrowser, openContext, openPage, toWide } from './support/browser.mjs';
import { enterFirst } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeFolder, removeFolder, startServer } from './support/server.mjs';
import { startSimulator } from './support/simulator.mjs';

const [program] = process.argv.slice(2);

await runTest('channels', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('channels');
  defer(() => removeFolder(folder));
  const simulator = await startSimulator(program);
  defer(simulator.stop);
  const server = await startServer({ program, folder, settings: simulator.settings });
  defer(server.stop);
  const browser = await openBrowser();
  defer(() => browser.close());
  const page = await openPage(await openContext(browser), problems);
  show(page);
  const looksGood = async (name) => {
    await isUsable(page, name, problems);
    await fitsPhone(page, name, problems);
    await toWide(page);
  };
  const place = `${server.base}/t/clinica-dental-sonrisa`;
  const world = { page, base: server.base, place, simulator, problems, step, looksGood };

  step('whoever runs the business comes in');
  await enterFirst(page, server.base, await server.oneTime());
  await connects(world);
  await doctor(world);
  await findsConversation(world);
  await sendsTemplate(world);
  await looksAround(world);
  await pausesAndEnds(world);
});
console.log('A channel was connected, used and taken away.');
