// What is said in the playground, and what is heard.

/** Says something as a customer would, and waits for the whole answer. */
export async function say(page, text) {
  const answered = page.getByRole('button', { name: '¿Por qué respondió eso?' });
  const before = await answered.count();
  await page.getByLabel('Escribe como un cliente…').fill(text);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await answered.nth(before).waitFor();
}

export const expectText = (page, text) => page.getByRole('log').getByText(text).first().waitFor();
