// What the first visit costs: the bytes of scripts and styles as they are sent, and the time until
// somebody can type.
import { openContext } from './browser.mjs';

const MOST = { script: 250_000, css: 80_000 };
const WANTED_MS = 1_500;
/** A busy machine is no fault of the pages, so that only what nobody would wait for is a problem. */
const MOST_MS = 10_000;
const TRIES = 5;

export async function isLight(browser, base, problems) {
  let quickest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && quickest > WANTED_MS; attempt += 1) {
    // Each context has a cache of its own.
    const context = await openContext(browser);
    try {
      const page = await context.newPage();
      const start = Date.now();
      await page.goto(base, { waitUntil: 'commit' });
      const email = page.getByLabel('Correo');
      await email.fill('a');
      quickest = Math.min(quickest, Date.now() - start);
      if (attempt > 0) continue;
      const sent = await page.evaluate(() => {
        const sums = { script: 0, css: 0 };
        for (const { name, encodedBodySize } of performance.getEntriesByType('resource')) {
          if (name.endsWith('.js')) sums.script += encodedBodySize;
          if (name.endsWith('.css')) sums.css += encodedBodySize;
        }
        return sums;
      });
      for (const [kind, most] of Object.entries(MOST)) {
        if (sent[kind] === 0) problems.push(`first visit: no ${kind} was seen`);
        if (sent[kind] > most)
          problems.push(`first visit: ${sent[kind]} bytes of ${kind}, more than ${most}`);
      }
      console.log(`  ${sent.script} bytes of scripts and ${sent.css} of styles`);
    } finally {
      await context.close();
    }
  }
  console.log(`  somebody can type after ${quickest} ms`);
  if (quickest > MOST_MS) problems.push(`first visit: nobody can type before ${quickest} ms`);
}
