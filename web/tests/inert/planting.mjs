// Puts the payloads wherever a page shows what somebody wrote.

import { until } from '../support/server.mjs';
import { PAYLOADS } from './payloads.mjs';

const TENANT = 'corpus';

/** What the server refuses to keep cannot be shown; everything else has to be harmless. */
function planter(api, refused) {
  return async (what, path, body, method = 'POST') => {
    const answer = await api.send(method, path, body);
    if (answer.status < 300) return answer.json;
    if (answer.status !== 422) throw new Error(`${what}: ${answer.status} ${answer.text}`);
    refused.push(what);
    return undefined;
  };
}

const file = (name, content) => {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return form;
};

/** Plants everything and returns the pages on which it is seen. */
export async function plantAll(root) {
  const refused = [];
  await root.post('/api/v1/tenants', {
    name: PAYLOADS.picture,
    slug: TENANT,
    plan: 'enterprise',
    locale: 'es-PE',
    time_zone: 'America/Lima',
  });
  const api = root.in(TENANT);
  const plant = planter(api, refused);
  const all = Object.entries(PAYLOADS);

  const { slug: agent, knowledge_base_id: own } = await api.post('/api/v1/agents', {
    name: PAYLOADS.picture,
    slug: 'planted',
  });
  await plant('company of an agent', `/api/v1/agents/${agent}`, { company_name: PAYLOADS.script }, 'PATCH');
  for (const [name, text] of all.slice(0, 4)) await plant(`agent ${name}`, '/api/v1/agents', { name: text });
  for (const [name, text] of all) {
    await plant(`knowledge base ${name}`, '/api/v1/knowledge-bases', { name: text, description: text });
    await plant(`question ${name}`, '/api/v1/faqs', {
      question: `${name}: ${text}`,
      answer: `${text} ${text}`,
      category: text.slice(0, 90),
      tags: [text.slice(0, 40)],
    });
    await plant(`document ${name}`, `/api/v1/knowledge-bases/${own}/documents/text`, {
      title: text,
      content: `${name}\n\n${text}\n\nEl código ${name} del corpus es ${text}.`,
    });
    await plant(`instruction ${name}`, '/api/v1/instructions', {
      type: 'rule',
      title: text.slice(0, 100),
      content: text,
      priority: 5,
    });
    const lead = await plant(`customer ${name}`, '/api/v1/leads', { name: text, notes: text });
    if (lead) await plant(`tags ${name}`, `/api/v1/leads/${lead.id}`, { tags: [text.slice(0, 40)] }, 'PATCH');
  }
  for (const [name, text] of all.slice(0, 6))
    await plant(
      `file ${name}`,
      `/api/v1/knowledge-bases/${own}/documents`,
      file(
        `${text.replaceAll('/', '∕')}.html`,
        `<!doctype html><title>${text.replaceAll('<', '&lt;')}</title><p>${name} ${text}`,
      ),
    );
  await plant('script of a rehearsal', `/api/v1/agents/${agent}/rehearsals/scripts`, {
    name: PAYLOADS.picture,
    steps: [{ message: PAYLOADS.script, expect: { must_contain: [PAYLOADS.drawing] } }],
  });
  await plant(
    'draft',
    `/api/v1/agents/${agent}/draft`,
    { settings: { system_instructions: PAYLOADS.data } },
    'PUT',
  );
  await plant('key', '/api/v1/api-keys', { name: PAYLOADS.drawing, scopes: ['chat'] });
  const connected = await plant('channel', '/api/v1/channels', {
    channel: 'whatsapp',
    name: PAYLOADS.picture,
    account_id: '106540352242922',
    parent_id: '102290129340398',
    token: 'token-of-nobody',
    app_secret: 'secret-of-nobody',
  });
  await plant('member', '/api/v1/members', { email: 'x@corpus.test', name: PAYLOADS.frame, role: 'member' });

  // What customers say, and what people answer and note.
  const chat = (user, text) =>
    api.post(`/api/agents/${agent}/chat`, {
      messages: [{ role: 'user', content: text }],
      user,
      stream: false,
    });
  let thread;
  for (const [name, text] of all) {
    const { conversation_id: id } = await chat(`visitante-${name}`, `¿Qué sabes de ${name}? ${text}`);
    thread ??= id;
    await chat('visitante-script', text);
  }
  await plant('reason', `/api/v1/conversations/${thread}/handoff/request`, { reason: PAYLOADS.picture });
  await plant('answer', `/api/v1/conversations/${thread}/messages`, { role: 'human', text: PAYLOADS.link });
  await plant('note', `/api/v1/conversations/${thread}/messages`, { role: 'note', text: PAYLOADS.data });
  await api.post(`/api/v1/conversations/${thread}/handoff/release`);
  const { lead_id: lead } = await api.get(`/api/v1/conversations/${thread}`);
  await plant('name of a customer', `/api/v1/leads/${lead}`, { name: PAYLOADS.picture }, 'PATCH');

  const ordered = await plantOrder(root.in('taqueria-el-comal-despierto'), refused);
  await until('the documents were not read', async () => {
    const { data } = await api.get(`/api/v1/knowledge-bases/${own}/documents?limit=100`);
    return data.every(({ status }) => status === 'completed' || status === 'failed');
  });
  const { data: documents } = await api.get(`/api/v1/knowledge-bases/${own}/documents?limit=100`);
  const document = documents.find(({ title }) => title === PAYLOADS.picture) ?? documents[0];
  const { data: questions } = await api.get('/api/v1/faqs?limit=1');
  return {
    agent,
    own,
    thread,
    lead,
    document: document.id,
    question: questions[0].id,
    ordered,
    connection: connected?.id,
    refused,
    tenant: TENANT,
  };
}

/** An order whose notes and customer are payloads, for when the place is open. */
async function plantOrder(place, refused) {
  const { data: branches } = await place.get('/api/v1/branches');
  const branch = branches.find(({ name }) => name === 'Roma');
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
  const order = await planter(place, refused)('order', '/api/v1/orders', {
    text: 'tres tacos al pastor',
    order_type: 'pickup',
    branch_id: branch.id,
    scheduled_for: `${tomorrow}T16:00`,
    notes: PAYLOADS.picture,
    customer_name: PAYLOADS.script,
  });
  return order?.id;
}

export const pagesOf = ({ agent, own, thread, lead, document, question, ordered, connection, tenant }) => [
  ...[
    '',
    '/conversations',
    `/conversations/${thread}`,
    '/customers',
    '/customers?view=board',
    `/customers/${lead}`,
    `/customers/${lead}?tab=conversations`,
    '/knowledge',
    `/knowledge/${own}`,
    `/knowledge/${own}?tab=agents`,
    `/knowledge/${own}/documents/${document}`,
    '/gaps',
    '/agents',
    `/agents/${agent}`,
    ...['knowledge', 'settings', 'prompt', 'instructions', 'rehearsals', 'versions'].map(
      (tab) => `/agents/${agent}?tab=${tab}`,
    ),
    '/business/faqs',
    `/business/faqs?item=${question}`,
    ...(connection ? ['/channels', `/channels/${connection}`] : []),
    '/figures',
    '/figures?log=tools',
    ...['/business', '/team', '/keys', '/audit', '/jobs', '/platform/tenants', '/platform/users'].map(
      (path) => `/settings${path}`,
    ),
  ].map((path) => `/t/${tenant}${path}`),
  ...(ordered
    ? ['', '?view=list', `?order=${ordered}`].map((path) => `/t/taqueria-el-comal-despierto/orders${path}`)
    : []),
];
