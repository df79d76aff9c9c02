// The same pages in English, and on a telephone.
import { fitsPhone, isUsable, settled, toWide } from '../support/browser.mjs';

const switchTo = async (page, menu, language) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: language }).click();
};

export async function speakEnglish({ page, base, tenant, agent, step, problems }) {
  step('everything in English at once');
  await page.goto(`${base}/t/${tenant}/agents/${agent}`);
  await page.getByRole('tab', { name: 'Probar' }).waitFor();
  await switchTo(page, 'Tu cuenta', 'English');
  await page.getByRole('tab', { name: 'Rehearsals' }).waitFor();
  for (const [path, heading] of [
    ['conversations', 'Conversations'],
    ['knowledge', 'Knowledge'],
    ['gaps', 'Gaps'],
    ['orders', 'Orders'],
  ]) {
    await page.goto(`${base}/t/${tenant}/${path}`);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    await settled(page);
    // Words of the pages, not of the business: these would have stayed in Spanish.
    const left = await page
      .locator('nav')
      .getByText(/Conversaciones|Pedidos|Brechas|Ajustes/)
      .count();
    if (left > 0) problems.push(`/${path}: words in Spanish among the English ones`);
  }
  const language = await page.evaluate(() => document.documentElement.lang);
  if (!language.startsWith('en')) problems.push(`the page says that its language is ${language}`);
  await switchTo(page, 'Your account', 'Español');
  await page.getByRole('heading', { name: 'Pedidos' }).waitFor();
}

export async function walkOnPhone({ page, base, tenant, agent, api, customer, step, problems }) {
  step('every page on a telephone');
  const { knowledge_base_id: kb } = await api.get(`/api/v1/agents/${agent}`);
  const { data } = await api.get(`/api/v1/knowledge-bases/${kb}/documents`);
  const { lead_id: lead } = await api.get(`/api/v1/conversations/${customer}`);
  const own = [
    '',
    '/conversations',
    `/conversations/${customer}`,
    '/customers',
    `/customers/${lead}`,
    `/customers/${lead}?tab=conversations`,
    '/knowledge',
    `/knowledge/${kb}`,
    `/knowledge/${kb}?tab=websites`,
    `/knowledge/${kb}?tab=try`,
    `/knowledge/${kb}?tab=agents`,
    `/knowledge/${kb}/documents/${data[0].id}`,
    '/gaps',
    '/agents',
    ...[
      'talk',
      'knowledge',
      'settings',
      'model',
      'prompt',
      'instructions',
      'tools',
      'rehearsals',
      'versions',
    ].map((tab) => `/agents/${agent}?tab=${tab}`),
    '/business',
    '/business/faqs',
    '/figures',
    ...['', '/business', '/team', '/keys', '/secrets', '/plan', '/audit', '/jobs'].map(
      (path) => `/settings${path}`,
    ),
    ...['tenants', 'receipts', 'plans', 'users', 'health'].map((path) => `/settings/platform/${path}`),
  ].map((path) => `/t/${tenant}${path}`);
  const busy = [
    '/t/centro-medico-alba-andina/agenda',
    '/t/centro-medico-alba-andina/agenda?view=resources',
    '/t/centro-medico-alba-andina/business/services',
    '/t/taqueria-el-comal-despierto/orders',
    '/t/taqueria-el-comal-despierto/orders?view=list',
    '/t/taqueria-el-comal-despierto/business/menu-items',
  ];
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of [...own, ...busy]) {
    await page.goto(`${base}${path}`);
    await page.getByRole('heading').first().waitFor();
    await settled(page);
    await fitsPhone(page, path, problems);
  }
  await isUsable(page, 'the menu on a telephone', problems);
  await toWide(page);
}
