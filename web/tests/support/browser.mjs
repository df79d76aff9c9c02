// A real browser, and pages that say what went wrong in them.
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

export const WIDE = { width: 1280, height: 800 };
/** No screen waits for more than this. */
const LARGEST_ANSWER = 200_000;
export const PHONE = { width: 360, height: 740 };

export const openBrowser = () =>
  chromium.launch({
    executablePath: process.env.QUIPU_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export const openContext = (browser, more = {}) =>
  browser.newContext({ locale: 'es-PE', timezoneId: 'America/Lima', viewport: WIDE, ...more });

/** A page of which everything that breaks is noted among the problems. */
export async function openPage(context, problems, patience = 30_000) {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const where = () => page.url().replace(/^https?:\/\/[^/]+/, '');
  page.on('pageerror', (error) => problems.push(`${where()}: a page broke: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text()))
      problems.push(`${where()}: ${message.text()}`);
  });
  page.on('response', async (response) => {
    const kind = response.headers()['content-type'] ?? '';
    if (!response.url().includes('/api/') || !kind.startsWith('application/json')) return;
    // Of what was left behind there is no body any more.
    const size = (await response.body().catch(() => '')).length;
    if (size > LARGEST_ANSWER) problems.push(`${where()}: ${response.url()} answered with ${size} bytes`);
  });
  return page;
}

/** Whether everybody can use a page, in both themes. */
export async function isUsable(page, name, problems, seen = async () => {}) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(150);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      .analyze();
    for (const violation of violations) {
      const where = violation.nodes.map((node) => node.target.join(' ')).join('; ');
      problems.push(`${name}, ${scheme}: ${violation.id}: ${violation.help} (${where})`);
    }
    await seen(scheme);
  }
}

/** Whether a page fits a telephone: nobody should have to scroll sideways. */
export async function fitsPhone(page, name, problems) {
  await page.setViewportSize(PHONE);
  await page.waitForTimeout(300);
  const wide = await page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= room) return undefined;
    const guilty = [...document.body.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > room + 1)
      .slice(-3)
      .map((one) => `${one.tagName.toLowerCase()} «${one.textContent.slice(0, 40)}»`);
    return `${scrollWidth} px wide: ${guilty.join('; ')}`;
  });
  if (wide) problems.push(`${name}: does not fit a telephone, ${wide}`);
  return !wide;
}

export async function toWide(page) {
  await page.setViewportSize(WIDE);
  await page.waitForTimeout(200);
}

/** Until nothing is asked for any more, as far as a page with a stream of events gets there. */
export async function settled(page) {
  await page.waitForTimeout(300);
  await page
    .waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'), undefined, { timeout: 20_000 })
    .catch(() => {});
}
