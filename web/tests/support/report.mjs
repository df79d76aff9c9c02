// How a test ends: with what it found, and with nothing of its own left running.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs a test. It is given the list of problems, `defer` for what has to be ended afterwards, and `step`,
 * which says how far it is. Everything is ended whatever happens, the last first.
 */
export async function runTest(name, test) {
  const problems = [];
  const ends = [];
  const defer = (end) => ends.push(end);
  const began = Date.now();
  let at = 'the start';
  const step = (words) => {
    at = words;
    console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${words}`);
  };
  const pictures = process.env.QUIPU_PICTURES;
  let shown;
  try {
    await test({
      problems,
      defer,
      step,
      /** The page of which a picture is taken when the test fails. */
      show: (page) => {
        shown = page;
      },
    });
  } catch (error) {
    problems.push(`at «${at}»: ${error.stack ?? error}`);
    if (pictures && shown) {
      await mkdir(pictures, { recursive: true });
      await shown.screenshot({ path: join(pictures, `${name}-failed.png`) }).catch(() => {});
    }
  }
  for (const end of ends.reverse()) await Promise.resolve(end()).catch((error) => problems.push(`${error}`));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
}
