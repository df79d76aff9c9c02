// A knowledge base of 10,000 documents and a conversation of 20,000 messages, scrolled from one end to the
// other: few rows stand in the page at any time, no answer is large, and nothing stands still.
//
// Usage: node large.mjs PROGRAM [DATABASE_URL]

import { signedIn } from './support/api.mjs';
import { openBrowser, openContext, openPage, settled } from './support/browser.mjs';
import { ADMIN, enter, PASSWORD } from './support/entry.mjs';
import { runTest } from './support/report.mjs';
import { makeDatabase, makeFolder, removeFolder, startServer, until } from './support/server.mjs';

const [program, postgres = process.env.QUIPU_TEST_POSTGRES_URL] = process.argv.slice(2);
const TENANT = 'taqueria-el-comal-despierto';
const DOCUMENTS = 10_000;
const MESSAGES = 20_000;
const MOST_ROWS = 200;
const MOST_BYTES = 200_000;
/** A machine that also runs other tests stands still for a moment by itself. */
const LONGEST_FREEZE = 5_000;

/** Copies a row so many times, each under a number of its own, in the order of the numbers. */
const copies = (table, id, count, changed) => `
  INSERT INTO ${table} SELECT (jsonb_populate_record(row, jsonb_build_object(
    'id', '01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'), ${changed}))).*
  FROM ${table} row, generate_series(1, ${count}) number WHERE row.id = '${id}'`;

await runTest('large', async ({ problems, defer, step, show }) => {
  const folder = await makeFolder('large');
  defer(() => removeFolder(folder));
  const database = await makeDatabase(postgres);
  defer(database.drop);
  const server = await startServer({ program, folder, database: database.url });
  defer(server.stop);
  const { base } = server;
  const browser = await openBrowser();
  defer(() => browser.close());
  const page = await openPage(await openContext(browser), problems);
  show(page);
  const oneTime = await server.oneTime();
  const changed = { current_password: oneTime, new_password: PASSWORD };
  const newcomer = await signedIn(base, ADMIN, oneTime);
  await newcomer.post('/api/v1/auth/password', changed);
  const api = await signedIn(base, ADMIN, PASSWORD, TENANT);
  await enter(page, base, ADMIN);

  step(`${DOCUMENTS} documents and ${MESSAGES} messages`);
  const kb = await api.post('/api/v1/knowledge-bases', { name: 'Archivo' });
  const documents = `/api/v1/knowledge-bases/${kb.id}/documents`;
  const first = await api.post(`${documents}/text`, { title: 'El primero', content: 'El primero de todos.' });
  await until('the document was not read', async () => {
    const { status } = await api.get(`${documents}/${first.id}`);
    return status === 'completed';
  });
  await database.fill(
    copies(
      'documents',
      first.id,
      DOCUMENTS - 1,
      `'title', 'Documento ' || number, 'content_hash', md5(number::text), 'size_bytes', number * 10`,
    ),
  );
  const chat = await api.post('/api/agents/lupita/chat', {
    messages: [{ role: 'user', content: '¿A qué hora abren?' }],
    user: 'quien-escribe-mucho',
    stream: false,
  });
  const thread = chat.conversation_id;
  const said = `/api/v1/conversations/${thread}/messages`;
  const { data: messages } = await api.get(said);
  const asked = messages.find(({ role }) => role === 'user');
  await database.fill(
    copies(
      'messages',
      asked.id,
      MESSAGES - messages.length,
      `'body', 'Mensaje número ' || number || repeat(' y algo más que decir', number % 5)`,
    ),
  );

  let largest = { bytes: 0 };
  page.on('response', async (answer) => {
    const { pathname, search } = new URL(answer.url());
    if (!pathname.startsWith('/api/') || pathname.endsWith('/events')) return;
    const { length: bytes } = await answer.body().catch(() => '');
    if (bytes > largest.bytes) largest = { bytes, path: pathname + search };
  });
  /** Everything that stood still for a while since the page was opened. */
  const watchFreezes = () =>
    page.evaluate(() => {
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: 'longtask' });
    });
  const check = async (what, rows) => {
    const longest = Math.round(await page.evaluate(() => window.longest));
    console.log(`          ${what}: ${rows} rows at most, ${longest} ms for the longest piece of work`);
    if (rows > MOST_ROWS) problems.push(`${what}: ${rows} rows stand in the page`);
    if (longest > LONGEST_FREEZE) problems.push(`${what}: the page stood still for ${longest} ms`);
  };
  /**
   * Scrolls until something is in sight, and returns how many rows there were at most. Everything happens in
   * the page: to ask it from outside would take longer than to scroll.
   */
  const scrollUntil = (rows, words, to, seconds) =>
    page.evaluate(
      async ([wanted, sought, target, patience]) => {
        const inside = document.querySelector(target);
        const scroller = inside ?? document.scrollingElement;
        let most = 0;
        for (const end = performance.now() + patience * 1000; performance.now() < end; ) {
          const found = [...document.querySelectorAll(wanted)];
          most = Math.max(most, found.length);
          if (found.some(({ textContent }) => textContent.includes(sought))) return { most, seen: true };
          scroller.scrollTop = inside ? 0 : scroller.scrollHeight;
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 15)));
        }
        return { most, seen: false };
      },
      [rows, words, to, seconds],
    );

  step('from the newest document to the first');
  await page.goto(`${base}/t/${TENANT}/knowledge/${kb.id}`);
  await page.getByRole('link', { name: 'El primero', exact: true }).waitFor();
  await settled(page);
  await watchFreezes();
  const ends = await scrollUntil('[role=row]', 'Documento 1Escrito', 'none', 90);
  if (!ends.seen) problems.push('the first document was not reached');
  await check('documents', ends.most);

  step('all of them are chosen, those included that nobody saw');
  await page.getByRole('checkbox', { name: 'Elegir todos' }).click();
  await page.getByText(/^10.?000 elegidos$/).waitFor();

  step('from the last message to the first');
  await page.goto(`${base}/t/${TENANT}/conversations/${thread}`);
  const lines = page.getByRole('region', { name: /^Conversación/ });
  await lines.waitFor();
  await settled(page);
  await watchFreezes();
  const beginning = await scrollUntil(
    '[data-index]',
    'Mensaje número 1 y algo',
    '[aria-label^="Conversación con"]',
    90,
  );
  await check('messages', beginning.most);
  if (!beginning.seen) problems.push('the first message was not reached');

  console.log(`          the largest answer: ${largest.bytes} bytes, ${largest.path}`);
  if (largest.bytes > MOST_BYTES) problems.push(`${largest.path} answers with ${largest.bytes} bytes`);
});
console.log('What is large is shown a little at a time.');
