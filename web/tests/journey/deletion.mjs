// What is deleted, and the receipt that says so.

export async function deleteWithReceipt({ page, base, tenant, agent, api, customer, step }) {
  step('a document is deleted, with its receipt');
  const { knowledge_base_id: kb } = await api.get(`/api/v1/agents/${agent}`);
  await page.goto(`${base}/t/${tenant}/knowledge/${kb}`);
  await page.getByRole('checkbox', { name: 'Garantía' }).check();
  await page.getByText('1 elegido').waitFor();
  await page.getByRole('button', { name: 'Borrar', exact: true }).click();
  const ask = page.getByRole('dialog', { name: 'Borrar un documento' });
  await ask.getByText('No se puede deshacer').waitFor();
  await ask.getByRole('button', { name: 'Borrar' }).click();
  await page.getByText(/^Borrado: 1 documento, [1-9]\d* fragmentos?\.$/).waitFor();
  await page.getByRole('checkbox', { name: 'Garantía' }).waitFor({ state: 'hidden' });
  const found = await api.post(`/api/v1/knowledge-bases/${kb}/search`, {
    query: 'garantía de las monturas contra defectos de fábrica',
    mode: 'lexical',
    similarity_threshold: 0,
  });
  if (found.chunks.some(({ content }) => /dieciocho meses/.test(content)))
    throw new Error('what was deleted is still found');

  step('a customer is deleted, with theirs');
  const { lead_id: lead } = await api.get(`/api/v1/conversations/${customer}`);
  await page.goto(`${base}/t/${tenant}/customers`);
  await page.getByRole('link', { name: 'Marta Solís' }).click();
  await page.getByRole('heading', { name: 'Marta Solís' }).waitFor();
  await page.getByRole('button', { name: 'Borrar', exact: true }).click();
  const sure = page.getByRole('dialog', { name: '¿Borrar a Marta Solís?' });
  await sure.getByRole('button', { name: 'Borrar' }).click();
  const receipt = page.getByRole('dialog', { name: 'Se borró a Marta Solís' });
  await receipt.getByText('Cliente: 1').waitFor();
  await receipt.getByText(/^Mensajes: [1-9]/).waitFor();
  await receipt.getByText('No queda nada suyo.').waitFor();
  await receipt.getByRole('button', { name: 'Cerrar' }).last().click();
  await page.getByRole('link', { name: 'Marta Solís' }).waitFor({ state: 'hidden' });
  const gone = await api.send('GET', `/api/v1/leads/${lead}`);
  if (gone.status !== 404) throw new Error(`the customer is still there: ${gone.status}`);
}
