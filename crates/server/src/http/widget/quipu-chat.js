// The chat of a business on its own site, as one element without dependencies:
//
//   <script type="module" src="https://quipu.example/widget/quipu-chat.js"></script>
//   <quipu-chat connection="0190b0f4-…"></quipu-chat>
//
// It works under a strict policy of the page, which has to name the server in `script-src` and `connect-src`:
// styles are adopted, never written into the page, and what anybody says becomes text nodes. It sets no cookies,
// and leaves nothing in the browser of a visitor before they write.
//
// Its look follows custom properties (--quipu-accent, --quipu-on-accent, --quipu-background, --quipu-surface,
// --quipu-text, --quipu-muted, --quipu-border, --quipu-radius, --quipu-font, --quipu-bottom, --quipu-side,
// --quipu-layer) and `::part` (launcher, badge, dialog, header, title, close, log, message, message-user,
// message-assistant, message-human, message-system, bubble, link, choices, choice, typing, notice, failure, retry,
// form, input, send, privacy).

/** Where the server is: the script lies in a folder of it. */
const SERVER = new URL('..', import.meta.url).href;
const MOST_CHARS = 2000;
/** How often news are asked for while a person answers and the chat is open, and otherwise. */
const SOON = 3_000;
const LATER = 20_000;
const LATEST = 120_000;
/** After so long without a sign, a line is dead. */
const PATIENCE = 60_000;
/** How often the chat is looked for before it is given up. */
const TRIES = 5;
/** Messages written at the same time may show up in another order, so that a few that are known are asked for too. */
const OVERLAP = 5;

const TEXTS = {
  es: {
    open: 'Abrir el chat',
    unread: (count) => (count === 1 ? '1 mensaje sin leer' : `${count} mensajes sin leer`),
    close: 'Cerrar el chat',
    log: 'Conversación',
    you: 'Tú',
    agent: 'Asistente',
    person: 'Equipo',
    system: 'Aviso',
    write: 'Escribe un mensaje',
    send: 'Enviar',
    choices: 'Respuestas sugeridas',
    typing: 'Escribiendo…',
    offline: 'No hay conexión. Lo que escribas se podrá enviar cuando vuelva.',
    human: 'Te atiende una persona del equipo.',
    waiting: 'Avisamos al equipo: una persona te responderá aquí.',
    failed: 'No se pudo enviar.',
    often: (seconds) => `Espera ${seconds} segundos y vuelve a intentarlo.`,
    retry: 'Reintentar',
    newTab: '(se abre en otra pestaña)',
  },
  en: {
    open: 'Open the chat',
    unread: (count) => (count === 1 ? '1 unread message' : `${count} unread messages`),
    close: 'Close the chat',
    log: 'Conversation',
    you: 'You',
    agent: 'Assistant',
    person: 'Team',
    system: 'Notice',
    write: 'Write a message',
    send: 'Send',
    choices: 'Suggested answers',
    typing: 'Typing…',
    offline: 'There is no connection. What you write can be sent once it is back.',
    human: 'Somebody of the team is with you.',
    waiting: 'We told the team: somebody will answer you here.',
    failed: 'It could not be sent.',
    often: (seconds) => `Wait ${seconds} seconds and try again.`,
    retry: 'Try again',
    newTab: '(opens in a new tab)',
  },
};

const STYLES = `
:host {
  all: initial;
  display: block;
  --_accent: var(--quipu-accent, var(--_own-accent, #0f766e));
  --_on-accent: var(--quipu-on-accent, var(--_own-on-accent, #fff));
  --_background: var(--quipu-background, #fff);
  --_surface: var(--quipu-surface, #f5f5f4);
  --_text: var(--quipu-text, #1c1917);
  --_muted: var(--quipu-muted, #57534e);
  --_border: var(--quipu-border, #78716c);
  --_radius: var(--quipu-radius, 14px);
  color-scheme: light dark;
}
:host([hidden]), [hidden] { display: none !important; }
@media (prefers-color-scheme: dark) {
  :host {
    --_background: var(--quipu-background, #1c1917);
    --_surface: var(--quipu-surface, #292524);
    --_text: var(--quipu-text, #f5f5f4);
    --_muted: var(--quipu-muted, #a8a29e);
    --_border: var(--quipu-border, #a8a29e);
  }
}
* { box-sizing: border-box; margin: 0; }
.root {
  font: 400 16px/1.45 var(--quipu-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  color: var(--_text);
  position: fixed;
  inset-block-end: var(--quipu-bottom, 20px);
  inset-inline-end: var(--quipu-side, 20px);
  z-index: var(--quipu-layer, 2147483000);
  text-align: start;
}
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
button:focus-visible, textarea:focus-visible, a:focus-visible, .log:focus-visible {
  outline: 3px solid var(--_text);
  outline-offset: 2px;
}
.log:focus-visible { outline-offset: -3px; }
svg { display: block; width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.launcher {
  position: relative;
  display: grid;
  place-items: center;
  width: 60px;
  height: 60px;
  border: 2px solid var(--_on-accent);
  border-radius: 50%;
  background: var(--_accent);
  color: var(--_on-accent);
  box-shadow: 0 4px 16px rgb(0 0 0 / 0.3);
}
.badge {
  position: absolute;
  inset-block-start: -6px;
  inset-inline-end: -6px;
  min-width: 24px;
  padding: 0 6px;
  border-radius: 12px;
  background: #b91c1c;
  color: #fff;
  font-size: 14px;
  line-height: 24px;
  text-align: center;
}
.dialog {
  display: flex;
  flex-direction: column;
  width: min(380px, calc(100vw - 40px));
  height: min(620px, calc(100vh - 40px));
  height: min(620px, calc(100dvh - 40px));
  overflow: hidden;
  border: 1px solid var(--_border);
  border-radius: var(--_radius);
  background: var(--_background);
  box-shadow: 0 8px 32px rgb(0 0 0 / 0.3);
}
.header {
  display: flex;
  align-items: center;
  gap: 8px;
  padding: 8px 8px 8px 16px;
  background: var(--_accent);
  color: var(--_on-accent);
}
.title { flex: 1; font-size: 17px; font-weight: 600; overflow-wrap: anywhere; }
.close {
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  border: 0;
  border-radius: 8px;
  background: none;
  color: inherit;
}
.header button:focus-visible { outline-color: currentColor; outline-offset: -3px; }
.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; }
.row { display: flex; flex-direction: column; align-items: flex-start; margin-block-end: 10px; }
.bubble {
  max-width: 86%;
  padding: 8px 12px;
  border-radius: var(--_radius);
  background: var(--_surface);
  overflow-wrap: anywhere;
}
.user { align-items: flex-end; }
.user .bubble { background: var(--_accent); color: var(--_on-accent); white-space: pre-wrap; }
.human .bubble { border: 1px solid var(--_border); background: var(--_background); }
.system .bubble { max-width: 100%; background: none; color: var(--_muted); font-size: 14px; }
a { color: inherit; text-decoration: underline; }
strong { font-weight: 600; }
.failure { display: flex; align-items: center; gap: 8px; font-size: 14px; color: var(--_muted); }
.retry, .choice {
  min-height: 40px;
  padding: 6px 14px;
  border: 2px solid var(--_border);
  border-radius: 20px;
  background: var(--_background);
  color: var(--_text);
}
.retry:hover, .choice:hover { background: var(--_surface); }
.choices { display: flex; flex-wrap: wrap; gap: 8px; margin-block-end: 10px; }
.typing { padding: 0 16px 10px; color: var(--_muted); }
.typing:empty { padding: 0; }
.dots { display: inline-flex; gap: 4px; padding: 10px 12px; border-radius: var(--_radius); background: var(--_surface); }
.dots i { width: 7px; height: 7px; border-radius: 50%; background: var(--_muted); }
.notice { padding: 0 16px 8px; font-size: 14px; color: var(--_muted); }
.notice:empty { padding: 0; }
.form { display: flex; align-items: flex-end; gap: 8px; padding: 8px 12px; border-block-start: 1px solid var(--_border); }
.input {
  flex: 1;
  min-height: 44px;
  max-height: 132px;
  padding: 9px 12px;
  resize: none;
  border: 1px solid var(--_border);
  border-radius: 10px;
  background: var(--_background);
}
.input::placeholder { color: var(--_muted); opacity: 1; }
.send {
  display: grid;
  place-items: center;
  flex: none;
  width: 44px;
  height: 44px;
  border: 0;
  border-radius: 10px;
  background: var(--_accent);
  color: var(--_on-accent);
}
.privacy { padding: 0 16px 10px; font-size: 13px; color: var(--_muted); }
@media (max-width: 480px) {
  .root.opened { inset: 0; }
  .dialog { width: 100%; height: 100vh; height: 100dvh; border: 0; border-radius: 0; }
}
@media print {
  :host { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .dots i { animation: dot 1.2s infinite ease-in-out; }
  .dots i:nth-child(2) { animation-delay: 0.15s; }
  .dots i:nth-child(3) { animation-delay: 0.3s; }
  @keyframes dot { 40% { transform: translateY(-4px); } 0%, 80%, 100% { transform: none; } }
}
`;

let shared;
/** One sheet for all elements of a page. */
function styles() {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(STYLES);
  }
  return shared;
}

/** An element with its attributes, and what is in it. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** One that the page can style, by the name of its part. */
const part = (tag, name, attributes = {}, ...children) =>
  make(tag, { part: name, class: name, ...attributes }, ...children);

function icon(path) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(space, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** White or black, whichever is read better on a colour. One of them always is read well. */
function readableOn(colour) {
  const light = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000';
}

/** A link to a page, or its words where it leads elsewhere. */
function link(address, words, hint) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return words;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return words;
  const attributes = { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' };
  return part('a', 'link', attributes, words, make('span', { class: 'sr' }, ` ${hint}`));
}

const MARKS = /\*\*(.+?)\*\*|\[([^\]\n]+)\]\((https?:\/\/[^\s()<>]+)\)|(https?:\/\/[^\s<>"]+)/g;

/** The bold words and links of a line. */
function inline(target, line, hint) {
  let from = 0;
  for (const match of line.matchAll(MARKS)) {
    const [whole, bold, words, address, bare] = match;
    target.append(line.slice(from, match.index));
    from = match.index + whole.length;
    if (bold !== undefined) {
      const strong = make('strong');
      inline(strong, bold, hint);
      target.append(strong);
    } else if (bare !== undefined) {
      // What ends the sentence is no part of the address.
      const end = bare.replace(/[.,;:!?)\]*]+$/, '');
      from -= bare.length - end.length;
      target.append(link(end, end, hint));
    } else {
      target.append(link(address, words, hint));
    }
  }
  target.append(line.slice(from));
}

/** What an agent or a person wrote, in light Markdown, as nodes. Numbers of sources mean nothing here. */
function render(target, text, hint) {
  const nodes = document.createDocumentFragment();
  const lines = text
    .replace(/ ?\[\d{1,3}\](?!\()/g, '')
    .trim()
    .split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    if (at > 0) nodes.append(make('br'));
    const heading = /^#{1,6}\s+(.+)$/.exec(line);
    if (heading) {
      const strong = make('strong');
      inline(strong, heading[1], hint);
      nodes.append(strong);
    } else {
      inline(nodes, line.replace(/^(\s*)[-*]\s+/, '$1• '), hint);
    }
  }
  target.replaceChildren(nodes);
}

/** The server-sent events of an answer. `heard` is told of every sign of life. */
async function* events(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += value;
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop();
      for (const block of blocks) {
        const name = /^event: ?(.*)$/m.exec(block);
        const data = /^data: ?(.*)$/m.exec(block);
        if (name && data) yield { name: name[1], data: JSON.parse(data[1]) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A name for a message, so that it is stored once however often it is sent. */
const fresh = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Why the server did not do what it was asked. */
class Refusal extends Error {
  constructor(status, code, wait) {
    super(code);
    this.status = status;
    this.wait = wait;
  }
}

/** What the browser keeps of a visitor: the token of their session. Some browsers keep nothing. */
class Keeper {
  #name;
  constructor(connection) {
    this.#name = `quipu-chat:${connection}`;
  }
  read() {
    try {
      return localStorage.getItem(this.#name);
    } catch {
      return null;
    }
  }
  write(token) {
    try {
      localStorage.setItem(this.#name, token);
    } catch {
      // It is known until the page is left.
    }
  }
}

class QuipuChat extends HTMLElement {
  static observedAttributes = ['connection'];

  #root = this.attachShadow({ mode: 'open' });
  /** What is on screen; made when the look is known. */
  #view = null;
  #texts = TEXTS.es;
  #keeper = null;
  #token = null;
  /** The visitor has written, so that there may be news. */
  #talks = false;
  #handoff = 'ai';
  #opened = false;
  #busy = false;
  #unread = 0;
  /** Of the messages that the server has, in order. */
  #ids = [];
  #rows = new Map();
  /** What was written and is not known to have arrived, by its name. */
  #pending = new Map();
  #failures = 0;
  #timer = 0;
  /** Counts the starts: what an earlier one still waits for is nobody's any more. */
  #life = 0;
  #listening = null;

  connectedCallback() {
    if (!this.#listening) this.#start();
  }

  disconnectedCallback() {
    this.#stop();
  }

  attributeChangedCallback(_name, before, after) {
    if (this.isConnected && before !== after) {
      this.#stop();
      this.#start();
    }
  }

  /** Opens the chat, as the visitor does. */
  open() {
    if (!this.#view || this.#opened) return;
    this.#opened = true;
    this.#unread = 0;
    this.#show();
    this.#view.input.focus();
    this.#toEnd();
    this.#plan(0);
    this.dispatchEvent(new CustomEvent('quipu-open', { bubbles: true, composed: true }));
  }

  /** Closes it again. What was said stays. */
  close() {
    if (!this.#view || !this.#opened) return;
    this.#opened = false;
    this.#show();
    this.#view.launcher.focus();
    this.#plan();
    this.dispatchEvent(new CustomEvent('quipu-close', { bubbles: true, composed: true }));
  }

  // Beginning and end.

  #start() {
    const connection = this.getAttribute('connection');
    if (!connection) return;
    this.#life += 1;
    this.#keeper = new Keeper(connection);
    this.#token = this.#keeper.read();
    this.#talks = this.#token !== null;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const life = this.#life;
    const changed = () => {
      this.#tell();
      if (!navigator.onLine || document.hidden) return;
      if (this.#view) this.#plan(0);
      else if (this.#failures > 0) this.#begin(life);
    };
    window.addEventListener('online', changed, { signal });
    window.addEventListener('offline', changed, { signal });
    document.addEventListener('visibilitychange', changed, { signal });
    this.#begin(life);
  }

  #stop() {
    this.#life += 1;
    clearTimeout(this.#timer);
    this.#listening?.abort();
    this.#listening = null;
    this.#root.replaceChildren();
    this.#view = null;
    this.#token = null;
    this.#talks = false;
    this.#handoff = 'ai';
    this.#opened = false;
    this.#busy = false;
    this.#unread = 0;
    this.#failures = 0;
    this.#ids = [];
    this.#rows.clear();
    this.#pending.clear();
  }

  async #begin(life) {
    clearTimeout(this.#timer);
    try {
      const look = await this.#greet();
      const known = this.#talks ? await this.#read('messages') : null;
      if (life !== this.#life || this.#view) return;
      this.#failures = 0;
      this.#build(look);
      if (known) this.#learn(known, false);
      this.#talks = this.#ids.length > 0;
      this.#plan();
    } catch (error) {
      if (life !== this.#life || this.#view) return;
      this.#failures += 1;
      const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
      // Browsers do not tell a page that is refused from one that is offline.
      if (isRefused || this.#failures >= TRIES) {
        console.warn(`quipu-chat is not shown on ${location.origin}: ${error.message}`);
        return;
      }
      this.#timer = setTimeout(() => this.#begin(life), this.#pace());
    }
  }

  // What is asked of the server.

  async #ask(path, { method = 'GET', body, key, signal = AbortSignal.timeout(PATIENCE) } = {}) {
    const headers = {};
    if (path !== 'session') headers.Authorization = `Bearer ${this.#token}`;
    if (body) headers['Content-Type'] = 'application/json';
    if (key) headers['Idempotency-Key'] = key;
    const connection = encodeURIComponent(this.getAttribute('connection'));
    const answer = await fetch(`${SERVER}api/web-chat/${connection}/${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    if (answer.ok) return answer;
    const told = await answer.json().catch(() => undefined);
    const wait = Number(answer.headers.get('retry-after')) || 0;
    throw new Refusal(answer.status, told?.error?.code ?? `HTTP ${answer.status}`, wait);
  }

  /** Begins a session, or goes on with the one that is known. Says how the chat looks. */
  async #greet(token = this.#token) {
    const body = token ? { token } : {};
    const answer = await this.#ask('session', { method: 'POST', body });
    const session = await answer.json();
    this.#take(session.token);
    return session.settings;
  }

  #take(token) {
    this.#token = token;
    // Who only looks leaves nothing in their browser.
    if (this.#talks) this.#keeper.write(token);
  }

  /** The same once more as somebody new, where the session does not count any more. */
  async #known(path, options) {
    try {
      return await this.#ask(path, options);
    } catch (error) {
      if (error.status !== 401) throw error;
      await this.#greet(null);
      return this.#ask(path, options);
    }
  }

  async #read(path) {
    const answer = await this.#known(path);
    return answer.json();
  }

  // News.

  #pace() {
    const usual = this.#opened && this.#handoff !== 'ai' ? SOON : LATER;
    return Math.min(LATEST, usual * 2 ** this.#failures);
  }

  #plan(wait = this.#pace()) {
    clearTimeout(this.#timer);
    if (!this.#view || !this.#talks) return;
    const life = this.#life;
    this.#timer = setTimeout(() => this.#poll(life), wait);
  }

  async #poll(life) {
    if (this.#busy || document.hidden || !navigator.onLine) {
      this.#plan();
      return;
    }
    const after = this.#ids.at(-OVERLAP);
    try {
      const news = await this.#read(after ? `messages?after=${after}` : 'messages');
      if (life !== this.#life) return;
      this.#failures = 0;
      // What is being sent meanwhile will be told at its own end.
      if (!this.#busy) this.#learn(news, true);
    } catch (error) {
      if (life !== this.#life) return;
      this.#failures += 1;
      if (error.status === 403 || error.status === 404) return;
    }
    this.#plan();
  }

  /** Takes in what the server has of the conversation. */
  #learn({ messages, handoff, token }, isNews) {
    this.#handoff = handoff;
    if (token) this.#take(token);
    let latest;
    for (const message of messages) {
      if (this.#rows.has(message.id)) continue;
      const written = message.key && this.#pending.get(message.key);
      if (written) {
        this.#arrived(written, message.id);
        continue;
      }
      const { row } = this.#add(message.role, message.text);
      this.#know(row, message.id);
      latest = message;
      if (isNews && !this.#opened && message.role !== 'user') this.#unread += 1;
    }
    if (latest && latest.id === this.#ids.at(-1))
      this.#offer(latest.role === 'assistant' ? latest.choices : []);
    this.#show();
    if (latest) this.#toEnd();
  }

  // What is said.

  #say(text) {
    const said = text.trim();
    if (!said || this.#busy) return false;
    const { row } = this.#add('user', said);
    const written = { text: said, key: fresh(), row };
    this.#pending.set(written.key, written);
    this.#send(written);
    return true;
  }

  async #send(written) {
    const life = this.#life;
    const view = this.#view;
    this.#busy = true;
    this.#talks = true;
    this.#keeper.write(this.#token);
    this.#offer([]);
    written.failure?.remove();
    view.send.setAttribute('aria-disabled', 'true');
    // Read out when it is whole, not word by word.
    view.log.setAttribute('aria-busy', 'true');
    this.#type(true);
    this.#toEnd();
    const line = new AbortController();
    let silence;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => line.abort(), PATIENCE);
    };
    heard();
    let answer;
    let again = 0;
    try {
      const options = { method: 'POST', body: { text: written.text }, key: written.key, signal: line.signal };
      const stream = await this.#known('messages', options);
      let text = '';
      let done;
      for await (const { name, data } of events(stream.body, heard)) {
        if (life !== this.#life) return;
        if (name === 'delta') {
          this.#type(false);
          answer ??= this.#add('assistant', '');
          text += data.text;
          render(answer.bubble, text, this.#texts.newTab);
          this.#toEnd();
        } else if (name === 'done') {
          done = data;
        } else {
          throw new Refusal(0, data.code, 0);
        }
      }
      if (life !== this.#life) return;
      if (!done) throw new Refusal(0, 'CUT_OFF', 0);
      this.#settle(written, answer, done);
      // There is no answer, or it was given before.
      if (!done.message_id) again = 1;
    } catch (error) {
      if (life !== this.#life) return;
      answer?.row.remove();
      this.#fail(written, error);
      // It may have arrived all the same.
      again = 2_000;
    } finally {
      clearTimeout(silence);
      if (life === this.#life) {
        this.#busy = false;
        this.#type(false);
        view.send.removeAttribute('aria-disabled');
        view.log.removeAttribute('aria-busy');
        this.#show();
        this.#plan(again || undefined);
      }
    }
  }

  #settle(written, answer, done) {
    this.#handoff = done.handoff;
    this.#arrived(written, done.question_id);
    if (!done.message_id) {
      answer?.row.remove();
      return;
    }
    const said = answer ?? this.#add('assistant', '');
    render(said.bubble, done.text, this.#texts.newTab);
    this.#know(said.row, done.message_id);
    this.#offer(done.choices);
    if (!this.#opened) this.#unread += 1;
    this.#toEnd();
  }

  #arrived(written, id) {
    this.#pending.delete(written.key);
    written.failure?.remove();
    this.#know(written.row, id);
  }

  #fail(written, error) {
    const { failed, often, retry } = this.#texts;
    const why = error.status === 429 ? often(error.wait || 5) : failed;
    const button = part('button', 'retry', { type: 'button' }, retry);
    button.addEventListener('click', () => {
      if (this.#busy) return;
      this.#view.input.focus();
      this.#send(written);
    });
    written.failure = part('div', 'failure', {}, make('span', {}, why), button);
    written.row.append(written.failure);
    this.#toEnd();
  }

  // What is on screen.

  #build(look) {
    const page = this.closest('[lang]')?.lang || document.documentElement.lang || navigator.language;
    const language = look.language ?? (/^en\b/i.test(page ?? '') ? 'en' : 'es');
    const texts = TEXTS[language];
    this.#texts = texts;
    const own = new CSSStyleSheet();
    const accent = /^#[0-9a-f]{6}$/i.test(look.accent) ? look.accent : '#0f766e';
    own.replaceSync(`:host { --_own-accent: ${accent}; --_own-on-accent: ${readableOn(accent)}; }`);
    this.#root.adoptedStyleSheets = [styles(), own];

    const badge = part('span', 'badge', { 'aria-hidden': 'true', hidden: '' });
    const launcher = part(
      'button',
      'launcher',
      { type: 'button', 'aria-haspopup': 'dialog' },
      icon('M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5z'),
      badge,
    );
    const close = part(
      'button',
      'close',
      { type: 'button', 'aria-label': texts.close },
      icon('M6 6l12 12M18 6L6 18'),
    );
    const title = part('h2', 'title', { id: 'title' }, look.title);
    const log = part('div', 'log', {
      role: 'log',
      'aria-live': 'polite',
      'aria-label': texts.log,
      tabindex: '0',
    });
    const dots = make('span', { class: 'dots', 'aria-hidden': 'true' }, make('i'), make('i'), make('i'));
    const typing = part('div', 'typing', { role: 'status' });
    const notice = part('p', 'notice', { role: 'status' });
    const input = part('textarea', 'input', {
      id: 'input',
      rows: '1',
      maxlength: `${MOST_CHARS}`,
      placeholder: texts.write,
      enterkeyhint: 'send',
    });
    const send = part(
      'button',
      'send',
      { type: 'submit', 'aria-label': texts.send },
      icon('M5 12h14M13 6l6 6-6 6'),
    );
    const label = make('label', { class: 'sr', for: 'input' }, texts.write);
    const form = part('form', 'form', {}, label, input, send);
    const privacy = part('p', 'privacy');
    if (look.privacy_note) render(privacy, look.privacy_note, texts.newTab);
    else privacy.hidden = true;
    const dialog = part(
      'section',
      'dialog',
      { role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'title', hidden: '' },
      part('header', 'header', {}, title, close),
      log,
      typing,
      notice,
      form,
      privacy,
    );
    const root = make('div', { class: 'root', lang: language }, launcher, dialog);
    this.#view = { root, launcher, badge, dialog, log, typing, dots, notice, input, send, choices: null };

    launcher.addEventListener('click', () => this.open());
    close.addEventListener('click', () => this.close());
    dialog.addEventListener('keydown', (event) => this.#pressed(event));
    input.addEventListener('input', () => this.#fit());
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#say(input.value)) return;
      input.value = '';
      this.#fit();
      input.focus();
    });
    if (look.greeting) this.#add('assistant', look.greeting);
    this.#root.replaceChildren(root);
    this.#show();
  }

  /** Keys inside of the chat are for the chat, not for shortcuts of the page. */
  #pressed(event) {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
    }
    if (event.key !== 'Tab') return;
    const all = this.#view.dialog.querySelectorAll('button, textarea, a[href], [tabindex="0"]');
    const places = [...all].filter((one) => one.getClientRects().length > 0);
    const [first, last] = [places[0], places.at(-1)];
    const here = this.#root.activeElement;
    const stays = here && here !== (event.shiftKey ? first : last) && places.includes(here);
    if (stays) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  }

  /** The field is as high as what is written, up to its bound. */
  #fit() {
    const { input } = this.#view;
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  #show() {
    if (!this.#view) return;
    const { root, launcher, badge, dialog } = this.#view;
    const { open, unread } = this.#texts;
    root.classList.toggle('opened', this.#opened);
    dialog.hidden = !this.#opened;
    launcher.hidden = this.#opened;
    launcher.setAttribute('aria-expanded', `${this.#opened}`);
    launcher.setAttribute('aria-label', this.#unread ? `${open} (${unread(this.#unread)})` : open);
    badge.hidden = this.#unread === 0;
    badge.textContent = this.#unread > 9 ? '9+' : `${this.#unread}`;
    this.#tell();
  }

  /** What the visitor should know: that they are offline, or who answers. */
  #tell() {
    if (!this.#view) return;
    const { offline, human, waiting } = this.#texts;
    const told = { human, pending_human: waiting }[this.#handoff] ?? '';
    const notice = navigator.onLine ? told : offline;
    if (this.#view.notice.textContent !== notice) this.#view.notice.textContent = notice;
  }

  #type(isTyping) {
    const { typing, dots } = this.#view;
    if (isTyping) typing.replaceChildren(dots, make('span', { class: 'sr' }, this.#texts.typing));
    else typing.replaceChildren();
  }

  #add(role, text) {
    const { you, agent, person, system, newTab } = this.#texts;
    const who = { user: you, human: person, system }[role] ?? agent;
    const bubble = part('div', 'bubble');
    if (role === 'user') bubble.textContent = text;
    else render(bubble, text, newTab);
    const names = { part: `message message-${role}`, class: `row ${role}` };
    const row = make('div', names, make('span', { class: 'sr' }, `${who}: `), bubble);
    this.#view.log.append(row);
    return { row, bubble };
  }

  /** A message has its id: it stands where it belongs among those that have theirs. */
  #know(row, id) {
    if (this.#rows.has(id)) {
      row.remove();
      return;
    }
    this.#rows.set(id, row);
    row.dataset.id = id;
    const next = this.#ids.findIndex((one) => one > id);
    if (next < 0) {
      this.#ids.push(id);
    } else {
      this.#rows.get(this.#ids[next]).before(row);
      this.#ids.splice(next, 0, id);
    }
  }

  /** What can be tapped instead of writing, below the last message. */
  #offer(titles) {
    const view = this.#view;
    view.choices?.remove();
    view.choices = null;
    if (!titles || titles.length === 0) return;
    const buttons = titles.map((title) => {
      const button = part('button', 'choice', { type: 'button' }, title);
      button.addEventListener('click', () => {
        if (!this.#say(title)) return;
        view.input.focus();
      });
      return button;
    });
    view.choices = part('div', 'choices', { role: 'group', 'aria-label': this.#texts.choices }, ...buttons);
    view.log.append(view.choices);
  }

  #toEnd() {
    const { log } = this.#view;
    log.scrollTop = log.scrollHeight;
  }
}

if (!customElements.get('quipu-chat')) customElements.define('quipu-chat', QuipuChat);
