// A day of work in the three demo businesses, so that no page that is photographed is empty.
import { until } from '../support/server.mjs';

export const CLINIC = 'clinica-dental-sonrisa';
export const CENTRE = 'centro-medico-alba-andina';
export const TAQUERIA = 'taqueria-el-comal-despierto';

/** What customers say to an agent, one after the other, as one of them. */
const speaker = (place, agent) => async (user, lines) => {
  let last;
  for (const line of lines) {
    last = await place.post(`/api/agents/${agent}/chat`, {
      messages: [{ role: 'user', content: line }],
      user,
      stream: false,
    });
  }
  return last;
};

async function orders(place) {
  const say = speaker(place, 'lupita');
  const wishes = [
    [
      'beto-ruiz',
      'Soy Beto Ruiz. Quiero tres tacos al pastor y una coca para recoger mañana a las 4 de la tarde en la Roma',
    ],
    [
      'ana-lopez',
      'Soy Ana López. Quiero dos quesadillas y un agua de jamaica para recoger mañana a las 3 de la tarde en la Roma',
    ],
    [
      'luis-vega',
      'Soy Luis Vega. Quiero cinco tacos de suadero para recoger mañana a las 5 de la tarde en la Roma',
    ],
    [
      'eva-mora',
      'Soy Eva Mora. Quiero cuatro tacos de bistec para recoger mañana a las 2 de la tarde en la Roma',
    ],
  ];
  for (const [user, wish] of wishes) await say(user, [wish, 'sí']);
  await say('visitante-1', ['¿a qué hora abren el domingo?', '¿tienen opciones veganas?']);
  const { data } = await place.get('/api/v1/orders');
  const steps = ['preparing', 'ready'];
  for (const [at, order] of data.slice(1).entries()) {
    for (const status of steps.slice(0, at)) {
      await place.send('POST', `/api/v1/orders/${order.id}/status`, { status });
    }
  }
}

async function bookings(place) {
  const say = speaker(place, 'lia');
  const { data: services } = await place.get('/api/v1/services?limit=50');
  const { data: branches } = await place.get('/api/v1/branches');
  const people = ['Rosa Quispe', 'Hernán Duarte', 'Lucía Peña', 'Óscar Prieto', 'Camila Ríos', 'Julián Mesa'];
  for (const [at, name] of people.entries()) {
    const service = services[at % Math.min(services.length, 4)];
    const { slots } = await place.get(
      `/api/v1/availability?service_id=${service.id}&branch_id=${branches[0].id}&days=7&limit=200`,
    );
    const slot = slots[Math.floor((slots.length * (at + 1)) / (people.length + 2))];
    if (!slot) continue;
    const lead = await place.post('/api/v1/leads', { name, phone: `+57300123450${at}` });
    await place.post('/api/v1/appointments', { lead_id: lead.id, slot_id: slot.slot_id });
  }
  await say('camila-web', ['Hola, soy Camila Ríos', '¿cuánto cuesta una consulta de medicina general?']);
}

async function talks(place) {
  const say = speaker(place, 'maya');
  await say('diego', [
    'Hola, soy Diego Salas',
    '¿a cómo la limpieza?',
    '¿cómo me cuido después de una extracción?',
  ]);
  const asked = await say('marta', ['Hola, me llamo Marta Solís', '¿hacen carillas de zirconio en un día?']);
  await place.send('POST', `/api/v1/conversations/${asked.conversation_id}/handoff/request`, {
    reason: 'Pregunta por un tratamiento que no está en la lista',
  });
  const taken = await say('raul', ['Soy Raúl Paz', 'quiero hablar con una persona']);
  await place.send('POST', `/api/v1/conversations/${taken.conversation_id}/handoff/take`, {});
  await place.send('POST', `/api/v1/conversations/${taken.conversation_id}/messages`, {
    role: 'human',
    text: 'Hola Raúl, soy Carmen de la clínica. ¿En qué te ayudo?',
  });
  for (const question of [
    '¿aceptan seguro Pacífico?',
    '¿tienen estacionamiento para bicicletas?',
    '¿atienden perros?',
  ]) {
    await say(`visitante ${question.length}`, [question]);
  }
  const { data: leads } = await place.get('/api/v1/leads?limit=20');
  const degrees = ['hot', 'warm', 'cold'];
  for (const [at, lead] of leads.entries()) {
    await place.send('PATCH', `/api/v1/leads/${lead.id}`, { temperature: degrees[at % 3] });
  }
  return { thread: asked.conversation_id, taken: taken.conversation_id };
}

/** Fills the demo businesses, and says where what is photographed stands. */
export async function fillBusinesses(root) {
  const [clinic, centre, taqueria] = [CLINIC, CENTRE, TAQUERIA].map((slug) => root.in(slug));
  await orders(taqueria);
  await bookings(centre);
  const { thread, taken } = await talks(clinic);
  await clinic.put('/api/v1/agents/maya/draft', {
    settings: { system_instructions: 'Saluda por su nombre a quien vuelve y termina con una pregunta.' },
  });
  await clinic.post('/api/v1/agents/maya/rehearsals/scripts', {
    name: 'Precio de la limpieza',
    steps: [{ message: '¿a cómo la limpieza?', expect: { must_contain: ['120'] } }],
  });
  await clinic.post('/api/v1/agents/maya/rehearsals', { all_scripts: true, target: 'draft' });
  await until('the rehearsal did not end', async () => {
    const { data } = await clinic.get('/api/v1/agents/maya/rehearsals');
    return data.every(({ state }) => state !== 'queued' && state !== 'running');
  });
  const { knowledge_base_id: kb } = await clinic.get('/api/v1/agents/maya');
  const { data: documents } = await clinic.get(`/api/v1/knowledge-bases/${kb}/documents`);
  const { lead_id: lead } = await clinic.get(`/api/v1/conversations/${thread}`);
  const { data: rehearsals } = await clinic.get('/api/v1/agents/maya/rehearsals');
  return { kb, document: documents[0].id, thread, taken, lead, rehearsal: rehearsals[0].id };
}
