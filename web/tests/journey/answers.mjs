// What the agent knows: searched on trial, asked, doubted, mended and asked again.
import { expectText, say } from './talk.mjs';

export async function searchOnTrial({ page, step }) {
  step('a search on trial, with its score and what it matched');
  await page.getByRole('tab', { name: 'Probar búsqueda' }).click();
  await page.getByLabel('Pregunta como lo haría un cliente').fill('precio del examen de la vista');
  await page.getByRole('button', { name: 'Buscar', exact: true }).click();
  await page.locator('mark').first().waitFor();
  await page
    .getByText(/^[01]\.\d\d$/)
    .first()
    .waitFor();
  await page
    .getByRole('link', { name: /precios/ })
    .first()
    .waitFor();
}

export async function talkWithAgent({ page, agent, step }) {
  step('a chat with citations, from a file and from the website');
  await page.getByRole('link', { name: 'Agentes', exact: true }).click();
  await page.getByRole('link', { name: /Lía/ }).first().click();
  await page.getByRole('tab', { name: 'Probar' }).click();
  await say(page, '¿cuánto cuesta el examen de la vista?');
  await expectText(page, '45 soles');
  await page
    .getByRole('log')
    .getByRole('link', { name: /precios/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: '¿Por qué respondió eso?' }).click();
  const steps = page.getByRole('table', { name: 'Pasos' });
  await steps.getByText('supervisor').waitFor();
  await steps.getByRole('link', { name: /precios/ }).click();
  await page.getByText('Fragmento 1').waitFor();
  await page.getByText('cuesta 45 soles').waitFor();
  await page.goBack();
  await page.getByRole('log').getByText('45 soles').first().waitFor();
  await say(page, '¿cuánto cuesta la soldadura de una montura?');
  await expectText(page, '25 soles');
  if (!page.url().includes(agent)) throw new Error(`the page of another agent: ${page.url()}`);
}

export async function mendAnswer({ page, step }) {
  step('a frequent question is answered');
  const question = '¿Hacen exámenes de la vista a domicilio?';
  const toQuestions = async () => {
    await page.getByRole('link', { name: 'Negocio', exact: true }).click();
    await page.getByRole('link', { name: 'Preguntas frecuentes' }).click();
    await page.getByRole('heading', { name: 'Preguntas frecuentes' }).waitFor();
  };
  const toAgent = async () => {
    await page.getByRole('link', { name: 'Agentes', exact: true }).click();
    await page.getByRole('link', { name: /Lía/ }).first().click();
    await page.getByRole('tab', { name: 'Probar' }).click();
  };
  await toQuestions();
  await page.getByRole('button', { name: 'Nueva pregunta' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: /^Pregunta/ }).fill(question);
  await form
    .getByRole('textbox', { name: /^Respuesta/ })
    .fill('Sí, vamos a tu casa los martes y la visita cuesta 30 soles.');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await form.waitFor({ state: 'hidden' });
  await toAgent();
  await say(page, question);
  await expectText(page, '30 soles');

  step('why it answered that: what it looked up is there');
  await page.getByRole('button', { name: '¿Por qué respondió eso?' }).last().click();
  const steps = page.getByRole('table', { name: 'Pasos' }).last();
  await steps.getByText('supervisor').waitFor();
  await steps.getByText(/Usado en la respuesta/).waitFor();
  await steps.getByRole('link', { name: question }).first().waitFor();

  step('what is behind it is changed there, and the same question has the new answer beside the old one');
  await page
    .getByRole('button', { name: `Corregir ${question}` })
    .last()
    .click();
  await form
    .getByRole('textbox', { name: /^Respuesta/ })
    .fill('Sí, vamos a tu casa los jueves y la visita cuesta 35 soles.');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await form.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Preguntar otra vez', exact: true }).last().click();
  await page.getByRole('region', { name: 'Ahora' }).getByText('35 soles').waitFor();
  await page.getByRole('region', { name: 'Antes' }).getByText('30 soles').waitFor();
  await page.getByRole('button', { name: 'Preguntar lo mismo otra vez' }).last().click();
  await page.getByText(/Intento 2/).waitFor();
  await expectText(page, '35 soles');
}
