// What somebody with the least role sees and may do.
import { openContext, openPage, settled } from '../support/browser.mjs';
import { enter, PASSWORD } from '../support/entry.mjs';

const EMAIL = 'ana@miembro.test';
const TENANT = 'centro-medico-alba-andina';

/** What a member may change: their own account, and what customers want. */
const OWN = [
  /^\/api\/v1\/auth\//,
  /^\/api\/v1\/(leads|conversations|appointments|orders|invoice-requests|redemptions|turns)(\/|$)/,
  /^\/api\/agents\/[^/]+\/chat$/,
  /^\/api\/v1\/(knowledge-bases|agents)\/[^/]+\/(search|prompts\/preview)$/,
];

/** Every kind of thing that a member may not change, one call for each. */
const refusedCalls = ({ agent, base, question }) => [
  ['POST', '/api/v1/agents', { name: 'Intrusa' }],
  ['PATCH', `/api/v1/agents/${agent}`, { name: 'Intrusa' }],
  ['DELETE', `/api/v1/agents/${agent}`],
  ['PUT', `/api/v1/agents/${agent}/draft`, { name: 'Intrusa' }],
  ['GET', `/api/v1/agents/${agent}/versions`],
  ['POST', `/api/v1/agents/${agent}/model/try`, {}],
  ['POST', `/api/v1/agents/${agent}/rehearsals`, { all_scripts: true }],
  ['POST', `/api/v1/agents/${agent}/rehearsals/scripts`, { name: 'x', steps: [{ message: 'x' }] }],
  ['POST', '/api/v1/knowledge-bases', { name: 'Intrusa' }],
  ['POST', `/api/v1/knowledge-bases/${base}/documents/text`, { title: 'x', content: 'x y z' }],
  ['POST', `/api/v1/knowledge-bases/${base}/websites`, { address: 'https://example.com/' }],
  ['DELETE', `/api/v1/knowledge-bases/${base}`],
  ['POST', '/api/v1/faqs', { question: '¿x?', answer: 'x' }],
  ['PATCH', `/api/v1/faqs/${question}`, { answer: 'x' }],
  ['DELETE', `/api/v1/faqs/${question}`],
  ['POST', '/api/v1/instructions', { type: 'rule', title: 'x', content: 'x', priority: 1 }],
  ['PUT', '/api/v1/business/prompting', { legacy_prompt: true }],
  ['PATCH', '/api/v1/tenant', { name: 'x' }],
  ['GET', '/api/v1/members'],
  ['POST', '/api/v1/members', { email: 'otra@miembro.test', name: 'Otra', role: 'admin' }],
  ['GET', '/api/v1/api-keys'],
  ['POST', '/api/v1/api-keys', { name: 'x', scopes: ['chat'] }],
  ['GET', '/api/v1/secrets'],
  ['PUT', '/api/v1/secrets/openai_api_key', { value: 'sk-00000000000000000000' }],
  [
    'POST',
    '/api/v1/channels',
    { channel: 'whatsapp', name: 'Intrusa', account_id: '1', token: 'x', app_secret: 'x' },
  ],
  ['GET', '/api/v1/audit-log'],
  ['GET', '/api/v1/jobs'],
  ['GET', '/api/v1/usage'],
  ['GET', '/api/v1/tenants'],
  ['POST', '/api/v1/tenants', { name: 'Intrusa' }],
  ['GET', '/api/v1/users'],
];

const CLOSED = [
  ...['team', 'keys', 'secrets', 'plan', 'audit', 'jobs'],
  ...['tenants', 'receipts', 'plans', 'users', 'health'].map((name) => `platform/${name}`),
];

async function invite(root) {
  const body = { email: EMAIL, name: 'Ana', role: 'member' };
  const { invitation } = await root.in(TENANT).post('/api/v1/members', body);
  await root.send('POST', '/api/v1/auth/password/reset', {
    reset_token: invitation.reset_token,
    password: PASSWORD,
  });
}

export async function checkMember({ browser, base, root, problems, step, show }) {
  step('a member comes in and sees what is theirs');
  await invite(root);
  const clinic = root.in(TENANT);
  const [agent] = (await clinic.get('/api/v1/agents')).data;
  const [question] = (await clinic.get('/api/v1/faqs?limit=1')).data;
  const page = await openPage(await openContext(browser), problems);
  show(page);
  const refusals = [];
  page.on('response', (answer) => {
    const request = answer.request();
    const { pathname } = new URL(answer.url());
    if (!pathname.startsWith('/api/') || request.method() === 'GET') return;
    if (answer.status() === 403) refusals.push(pathname);
    if (answer.status() < 300 && !OWN.some((one) => one.test(pathname)))
      problems.push(`a member may ${request.method()} ${pathname}: ${answer.status()}`);
  });
  await enter(page, base, EMAIL);
  const place = `${base}/t/${TENANT}`;
  await page.goto(`${place}/settings`);
  const sections = page.getByRole('navigation', { name: 'Ajustes' });
  await sections.getByText('Tu cuenta').waitFor();
  for (const name of [
    'Equipo',
    'Claves de API',
    'Secretos',
    'Plan y uso',
    'Auditoría',
    'Trabajos',
    'Negocios',
  ])
    if ((await sections.getByText(name, { exact: true }).count()) > 0)
      problems.push(`a member sees «${name}» among the settings`);

  step('by address they are told that it is not for them');
  for (const path of CLOSED) {
    await page.goto(`${place}/settings/${path}`);
    await page.getByText('No tienes permiso').waitFor();
  }
  await page.goto(`${base}/t/clinica-dental-sonrisa/customers`);
  await page.getByRole('alert').first().waitFor();

  step('their pages open, and offer nothing that they may not do');
  for (const [path, absent] of [
    ['', []],
    ['/conversations', []],
    ['/customers', []],
    ['/agenda', []],
    ['/orders', []],
    ['/gaps', ['Responder', 'Descartar']],
    ['/agents', ['Nuevo agente']],
    [`/agents/${agent.slug}`, []],
    [`/agents/${agent.slug}?tab=knowledge`, ['Añadir página', 'Borrar']],
    [`/agents/${agent.slug}?tab=settings`, ['Guardar y publicar', 'Guardar borrador', 'Borrar este agente']],
    [`/agents/${agent.slug}?tab=model`, ['Guardar y publicar', 'Guardar borrador']],
    [`/agents/${agent.slug}?tab=tools`, ['Guardar y publicar', 'Guardar borrador']],
    [`/agents/${agent.slug}?tab=instructions`, ['Nueva instrucción']],
    [`/agents/${agent.slug}?tab=rehearsals`, ['Ensayar', 'Nuevo guion']],
    ['/channels', ['Conectar un canal']],
    ['/channels/connect?channel=whatsapp', ['Ya lo tengo todo']],
    ['/knowledge', ['Nueva base']],
    [`/knowledge/${agent.knowledge_base_id}`, ['Añadir página']],
    [`/knowledge/${agent.knowledge_base_id}?tab=websites`, ['Añadir sitio']],
    [`/knowledge/${agent.knowledge_base_id}?tab=agents`, ['Asignar', 'Quitar']],
    ['/business', ['Guardar']],
    ['/business/faqs', ['Nueva pregunta']],
    [`/business/faqs?item=${question.id}`, ['Guardar', 'Borrar']],
    ['/settings/business', ['Guardar']],
  ]) {
    await page.goto(`${place}${path}`);
    await page.getByRole('heading').first().waitFor();
    await settled(page);
    for (const name of absent) {
      const button = page.getByRole('button', { name, exact: true });
      const offered = (await button.count()) > 0 && (await button.first().isEnabled());
      if (offered) problems.push(`${path}: a member is offered «${name}»`);
    }
  }

  step('and the server refuses whatever they try all the same');
  const calls = refusedCalls({ agent: agent.slug, base: agent.knowledge_base_id, question: question.id });
  const answers = await page.evaluate(
    async ([tenant, all]) => {
      const statuses = [];
      for (const [method, path, body] of all) {
        const answer = await fetch(path, {
          method,
          headers: { 'X-Quipu-Tenant': tenant, ...(body ? { 'Content-Type': 'application/json' } : {}) },
          body: body && JSON.stringify(body),
        });
        statuses.push(answer.status);
      }
      return statuses;
    },
    [TENANT, calls],
  );
  answers.forEach((status, at) => {
    const [method, path] = calls[at];
    if (status !== 403) problems.push(`a member asks to ${method} ${path} and is answered ${status}`);
  });
  return { refused: answers.filter((status) => status === 403).length, tried: calls.length };
}
