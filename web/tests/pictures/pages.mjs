// Which pages there are, and which of them the guide shows.
import { CENTRE, CLINIC, TAQUERIA } from './working.mjs';

/** The address of every page, by a name for its picture. */
export function allPages({ kb, document, thread, lead, rehearsal }) {
  const clinic = `/t/${CLINIC}`;
  const centre = `/t/${CENTRE}`;
  const taqueria = `/t/${TAQUERIA}`;
  const agent = (tab) => `${clinic}/agents/maya?tab=${tab}`;
  const base = (tab) => `${clinic}/knowledge/${kb}?tab=${tab}`;
  const kinds = [
    ...['branches', 'staff', 'services', 'policies', 'faqs', 'articles', 'response-templates'],
    ...['competitors', 'rewards', 'tables'],
  ];
  return {
    choose: '/businesses',
    home: clinic,
    conversations: `${clinic}/conversations`,
    thread: `${clinic}/conversations/${thread}`,
    customers: `${clinic}/customers`,
    'customers-board': `${clinic}/customers?view=board`,
    customer: `${clinic}/customers/${lead}`,
    'customer-conversations': `${clinic}/customers/${lead}?tab=conversations`,
    'agenda-week': `${centre}/agenda`,
    'agenda-day': `${centre}/agenda?view=day`,
    'agenda-resources': `${centre}/agenda?view=resources`,
    'orders-board': `${taqueria}/orders`,
    'orders-list': `${taqueria}/orders?view=list`,
    knowledge: `${clinic}/knowledge`,
    'base-documents': base('documents'),
    'base-websites': base('websites'),
    'base-try': base('try'),
    'base-agents': base('agents'),
    'base-settings': base('settings'),
    chunks: `${clinic}/knowledge/${kb}/documents/${document}`,
    gaps: `${clinic}/gaps`,
    agents: `${clinic}/agents`,
    'agent-talk': agent('talk'),
    'agent-knowledge': agent('knowledge'),
    'agent-settings': agent('settings'),
    'agent-model': agent('model'),
    'agent-prompt': agent('prompt'),
    'agent-instructions': agent('instructions'),
    'agent-tools': agent('tools'),
    'agent-rehearsals': agent('rehearsals'),
    'agent-rehearsal': `${agent('rehearsals')}&run=${rehearsal}`,
    'agent-versions': agent('versions'),
    channels: `${clinic}/channels`,
    'channels-choose': `${clinic}/channels/connect`,
    'channels-connect': `${clinic}/channels/connect?channel=whatsapp`,
    business: `${clinic}/business`,
    loyalty: `${taqueria}/business/loyalty`,
    'business-menu': `${taqueria}/business/menu-items`,
    ...Object.fromEntries(kinds.map((kind) => [`business-${kind}`, `${clinic}/business/${kind}`])),
    figures: `${clinic}/figures`,
    'figures-tools': `${clinic}/figures?log=tools`,
    ...Object.fromEntries(
      ['', 'business', 'team', 'keys', 'secrets', 'plan', 'audit', 'jobs'].map((name) => [
        `settings-${name || 'account'}`,
        `${clinic}/settings/${name}`.replace(/\/$/, ''),
      ]),
    ),
    ...Object.fromEntries(
      ['tenants', 'receipts', 'plans', 'users', 'health'].map((name) => [
        `platform-${name}`,
        `${clinic}/settings/platform/${name}`,
      ]),
    ),
  };
}

const ask = (question) => async (page) => {
  await page.getByRole('textbox', { name: /Escribe como un cliente|Write as a customer/ }).fill(question);
  await page.keyboard.press('Enter');
  const why = page.getByRole('button', { name: /¿Por qué respondió eso\?|Why did it answer that\?/ });
  await why.last().waitFor();
  await why.last().click();
  await page.getByRole('table').first().waitFor();
};
const search = (question) => async (page) => {
  await page.getByLabel(/Pregunta como lo haría un cliente|Ask as a customer would/).fill(question);
  await page.keyboard.press('Enter');
  await page.locator('mark').first().waitFor();
};

/** The dozen that the guide and the READMEs show. */
export const GUIDE = [
  { name: 'home', of: 'home' },
  { name: 'conversations', of: 'thread' },
  { name: 'conversations-phone', of: 'thread', size: 'phone' },
  { name: 'customers', of: 'customers-board' },
  { name: 'agenda', of: 'agenda-week' },
  { name: 'orders', of: 'orders-board' },
  { name: 'knowledge', of: 'base-documents' },
  { name: 'search', of: 'base-try', act: search('¿cómo me cuido después de una extracción?') },
  { name: 'playground', of: 'agent-talk', act: ask('¿cómo me cuido después de una extracción?') },
  { name: 'rehearsal', of: 'agent-rehearsal' },
  { name: 'gaps', of: 'gaps' },
  { name: 'figures-dark', of: 'figures', scheme: 'dark' },
].map((one) => ({ language: 'es', scheme: 'light', size: 'wide', ...one }));
