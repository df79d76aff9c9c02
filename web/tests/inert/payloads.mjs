// What attackers write where a name or a message is expected. Whatever of it ran would set a global, and
// whatever of it became an element would have the class.

export const MARK = 'quipu-planted';
const run = (number) => `window.quipuBroken=${number}`;

export const PAYLOADS = {
  script: `<script class=${MARK}>${run(1)}</script>`,
  picture: `<img class=${MARK} src=x onerror="${run(2)}">`,
  drawing: `<svg class=${MARK} onload="${run(3)}">`,
  link: `[clic](javascript:${run(4)})`,
  data: `<a class=${MARK} href="data:text/html,<script>${run(5)}</script>">x</a>`,
  braces: `{{constructor.constructor('${run(6)}')()}}`,
  template: `\${${run(7)}} <%= ${run(7)} %>`,
  frame: `"><iframe class=${MARK} srcdoc="<script>parent.${run(8)}</script>">`,
  style: `</style><style class=${MARK}>body{display:none}</style>`,
  markdown: `![x](javascript:${run(10)}) <b class=${MARK}>b</b>`,
  quotes: `' onmouseover=${run(11)} x='" autofocus onfocus=${run(11)} "`,
  backwards: 'factura\u202Egpj.exe \u200F\u061Cבדיקה',
  long: `Una${'palabralarguísima'.repeat(5)}`,
  formula: '=HYPERLINK("http://x.example","clic")',
  command: "@SUM(1+1)*cmd|' /C calc'!A0",
};

/** Nothing of what was planted ran, and nothing of it is an element. */
export async function isInert(page, where, problems) {
  const found = await page.evaluate((mark) => {
    const bad = [];
    if (window.quipuBroken !== undefined) bad.push(`payload ${window.quipuBroken} ran`);
    for (const one of document.querySelectorAll(`.${mark}, iframe, object, embed`))
      bad.push(`an element of a payload: ${one.outerHTML.slice(0, 120)}`);
    for (const one of document.querySelectorAll('[href], [src], [action], [formaction]')) {
      for (const name of ['href', 'src', 'action', 'formaction']) {
        const value = (one.getAttribute(name) ?? '').trim();
        if (/^(javascript|vbscript):/i.test(value) || /^data:text\/html/i.test(value))
          bad.push(`an address that runs: ${value.slice(0, 80)}`);
      }
    }
    for (const one of document.querySelectorAll('*'))
      for (const { name } of one.attributes)
        if (/^on/.test(name)) bad.push(`a handler in an attribute: ${one.outerHTML.slice(0, 120)}`);
    if (getComputedStyle(document.body).display === 'none') bad.push('a style of a payload counts');
    return bad;
  }, MARK);
  for (const one of found) problems.push(`${where}: ${one}`);
}

/** How many of the payloads can be read on a page, as the text they are. The business is named everywhere. */
export async function readable(page) {
  const text = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('#content, [role=dialog]')];
    const fields = parts.flatMap((part) => [...part.querySelectorAll('input, textarea')]);
    return [...parts.map((part) => part.textContent), ...fields.map(({ value }) => value)].join('\n');
  });
  return Object.values(PAYLOADS).filter((payload) => text.includes(payload.slice(0, 24))).length;
}
