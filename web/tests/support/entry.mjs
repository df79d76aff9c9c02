// The ways in, as people take them.

export const ADMIN = 'admin@quipu.local';
export const PASSWORD = 'el telar de la abuela';

/** The first time: the password of the console, and then one of their own. */
export async function enterFirst(page, base, oneTime, { look = async () => {} } = {}) {
  await page.goto(base);
  await page.getByLabel('Correo').waitFor();
  await look('sign-in');
  await page.getByLabel('Correo').fill(ADMIN);
  await page.getByLabel('Contraseña').fill(oneTime);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByLabel('Contraseña actual').fill(oneTime);
  await page.getByLabel('Contraseña nueva').fill(PASSWORD);
  await page.getByLabel('Otra vez').fill(PASSWORD);
  await look('new-password');
  await page.getByRole('button', { name: 'Guardar y continuar' }).click();
  await page.getByRole('heading', { name: 'Te damos la bienvenida' }).waitFor();
  await look('welcome');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('heading', { name: '¿Con qué negocio trabajas?' }).waitFor();
  await page.getByText('Demostraciones').waitFor();
  await look('choose');
}

export async function enter(page, base, email, password = PASSWORD) {
  await page.goto(`${base}/sign-in`);
  await page.getByLabel('Correo').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** A new business, with a plan that has room for the test. Returns its slug. */
export async function makeTenant(page, name, { plan, look = async () => {} } = {}) {
  await page.getByRole('button', { name: 'Crear un negocio' }).click();
  await page.getByLabel('Nombre del negocio').fill(name);
  if (plan) {
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: plan }).click();
  }
  await look('new-tenant');
  await page.getByRole('button', { name: 'Crear un negocio' }).click();
  await page.getByRole('heading', { name: /^Hola/ }).waitFor();
  return /\/t\/([^/]+)/.exec(page.url())[1];
}

/** A new agent by name; its page is open afterwards. Returns its slug. */
export async function makeAgent(page, name) {
  await page.getByRole('link', { name: 'Agentes', exact: true }).click();
  await page.getByRole('button', { name: 'Nuevo agente' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nombre').fill(name);
  await dialog.getByRole('button', { name: 'Crear agente' }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  return /\/agents\/([^/?]+)/.exec(page.url())[1];
}
