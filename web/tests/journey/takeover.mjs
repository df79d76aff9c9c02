// A conversation that a person takes over, answers and gives back, and what the agent learns from it.
import { expectText, say } from './talk.mjs';

const QUESTION = '¿Hacen lentes graduados para bucear?';
const ANSWER = 'Sí, graduamos máscaras de buceo en cinco días y cuestan 180 soles.';

export async function takeOver(world) {
  const { page, base, tenant, agent, api, step } = world;
  step('a customer asks what the agent does not know');
  const write = (text) =>
    api.post(`/api/agents/${agent}/chat`, {
      messages: [{ role: 'user', content: text }],
      user: 'visitante-7',
      stream: false,
    });
  await page.goto(`${base}/t/${tenant}/conversations`);
  await page.getByRole('heading', { name: 'Conversaciones' }).waitFor();
  await write('Hola, me llamo Marta Solís');
  const unknown = await write(QUESTION);
  if (/180/.test(unknown.message.content)) throw new Error('the agent knows already what nobody told it');
  world.customer = unknown.conversation_id;

  step('a person finds it, takes it over and answers');
  const search = page.getByLabel('Nombre, teléfono o correo');
  const found = page.getByRole('link', { name: /Marta Solís/ });
  await search.fill('otra persona');
  await found.waitFor({ state: 'hidden' });
  await search.fill('solis');
  await found.click();
  await page.getByText(QUESTION).first().waitFor();
  await page.getByRole('button', { name: 'Tomar', exact: true }).click();
  await page.getByText('Respondes tú').waitFor();
  await page.getByLabel('Escribe al cliente…').fill(ANSWER);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText(ANSWER).first().waitFor();
  const silent = await write('¡Gracias! ¿Y en qué horario?');
  if (silent.handoff !== 'human') throw new Error(`the agent answers beside a person: ${silent.handoff}`);
  await page.getByText('¿Y en qué horario?').first().waitFor();

  step('it is given back, and the answer is learned');
  await page.getByRole('button', { name: 'Devolver al agente' }).click();
  const lessons = page.getByRole('dialog', { name: 'Lo que tus agentes pueden aprender' });
  await lessons.getByLabel('Pregunta').first().waitFor();
  const learned = await lessons.getByLabel('Respuesta').first().inputValue();
  if (learned !== ANSWER) throw new Error(`another answer is proposed: ${learned}`);
  await lessons.getByRole('button', { name: 'Aprobar' }).first().click();
  await page.getByText('Aprobada: tus agentes ya la saben').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${base}/t/${tenant}/agents/${agent}`);
  await page.getByRole('tab', { name: 'Probar' }).click();
  await say(page, QUESTION);
  await expectText(page, '180 soles');
}
