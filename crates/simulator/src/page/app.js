// The page: who talks to whom, what is written, and what goes on inside.

import { clear, draw, element, preview } from "./phone.js";
import { locale, speak, translate, word } from "./words.js";

const MOST_FILE_BYTES = 5 * 1024 * 1024;
const get = (id) => document.getElementById(id);

const page = {
  accounts: [],
  account: null,
  customers: [],
  customer: null,
  known: null,
  messages: [],
  replying: null,
  seen: new Set(),
  call: null,
};

/** Asks the simulator. */
async function ask(path, { method = "GET", body, headers } = {}) {
  const isJson = body !== undefined && !(body instanceof Blob);
  let response;
  try {
    response = await fetch(`simulator/api/${path}`, {
      method,
      headers: isJson ? { "content-type": "application/json" } : headers,
      body: isJson ? JSON.stringify(body) : body,
    });
  } catch {
    throw new Error(word("offline"));
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(told.error?.message ?? `${response.status}`);
  return told;
}

const own = (path) => `accounts/${encodeURIComponent(page.account.account_id)}/${path}`;

/** Does something that may fail, and says so where it does. */
async function attempt(act) {
  get("fault").textContent = "";
  try {
    await act();
  } catch (error) {
    get("fault").textContent = error.message;
  }
}

const ready = () => {
  if (!page.account || !page.customer) throw new Error(word("choose_account"));
};

/* Accounts and customers. */

async function loadAccounts(choose) {
  const told = await ask("accounts");
  page.accounts = told.accounts;
  const chosen = choose ?? page.account?.account_id;
  const select = get("account");
  select.replaceChildren();
  for (const { account } of page.accounts) {
    const option = element("option", "", `${account.channel} · ${account.account_id}`);
    option.value = account.account_id;
    select.append(option);
  }
  if (page.accounts.length === 0) {
    select.append(element("option", "", word("no_account")));
    get("account-details").open = true;
  }
  const found = page.accounts.find(({ account }) => account.account_id === chosen);
  await chooseAccount((found ?? page.accounts[0])?.account ?? null);
}

async function chooseAccount(account) {
  const same = account?.account_id === page.account?.account_id;
  page.account = account;
  if (account) get("account").value = account.account_id;
  get("composer").hidden = account?.channel === "voice";
  get("scroll").hidden = account?.channel === "voice";
  get("caller").hidden = account?.channel !== "voice";
  get("later-row").hidden = account?.channel !== "whatsapp";
  if (same) return;
  page.customers = account ? [firstCustomer(account)] : [];
  page.customer = page.customers[0] ?? null;
  restart();
  drawCustomers();
  if (account) await loadFailures();
}

/** Whoever tries this wants to write at once. */
function firstCustomer(account) {
  const byNumber = account.channel === "whatsapp" || account.channel === "voice";
  return { id: byNumber ? "51987654321" : "7200000000000001", name: "Rosa Quispe", hides_phone: false };
}

function drawCustomers() {
  const select = get("customer");
  select.replaceChildren();
  for (const customer of page.customers) {
    const option = element("option", "", `${customer.name || "?"} · ${customer.id}`);
    option.value = customer.id;
    select.append(option);
  }
  if (page.customer) select.value = page.customer.id;
}

function restart() {
  page.known = null;
  page.messages = [];
  page.seen.clear();
  page.call = null;
  reply(null);
  clear();
}

function mergeCustomers(told) {
  const before = page.customers.length;
  for (const { customer } of told) {
    if (!page.customers.some((known) => known.id === customer.id)) page.customers.push(customer);
  }
  if (page.customers.length !== before) drawCustomers();
}

/* The conversation. */

async function poll() {
  if (page.account && page.customer) {
    const { account, customer } = page;
    const known = page.known === null ? "" : `&known=${page.known}`;
    const told = await ask(own(`messages?customer=${encodeURIComponent(customer.id)}${known}`));
    // Somebody else may have been chosen meanwhile.
    if (account === page.account && customer === page.customer) await show(told);
  }
}

async function show(told) {
  get("typing").textContent = told.typing ? word("typing") : "";
  const time = new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "short" });
  get("clock").textContent = time.format(told.now);
  if (!told.messages) return;
  page.known = told.version;
  left(told.failures_left);
  page.messages = told.messages;
  mergeCustomers(told.customers);
  const mine = told.customers.find(({ customer }) => customer.id === page.customer.id);
  const open = mine ? mine.window_open : page.account.channel === "tiktok";
  const voice = page.account.channel === "voice";
  get("window-state").textContent = voice ? "" : word(open ? "window_open" : "window_closed");
  draw(told.messages, actions);
  await confirmReading(told.messages);
  await loadRecords();
}

/** A phone that lies open confirms what it shows. */
async function confirmReading(messages) {
  if (!get("receipts").checked || document.hidden) return;
  const unread = messages.filter(
    (message) => message.author === "business" && message.state === "delivered" && !page.seen.has(message.id),
  );
  for (const message of unread) {
    page.seen.add(message.id);
    await ask(own("statuses"), { method: "POST", body: { message_id: message.id, status: "read" } });
  }
}

const write = (content) =>
  attempt(async () => {
    ready();
    await ask(own("messages"), { method: "POST", body: { customer: page.customer, ...content } });
    await poll();
  });

const actions = {
  tap: (option, message) => write({ kind: "choice", id: option.id, message_id: message.id }),
  remove: (message) => write({ kind: "deleted", message_id: message.id }),
  react: (message) => write({ kind: "reaction", message_id: message.id, emoji: message.reaction ? undefined : "👍" }),
  reply: (message) => reply(message),
  edit: (message) => {
    const text = window.prompt(word("edit_prompt"), message.text ?? "");
    if (text) write({ kind: "edited", message_id: message.id, text });
  },
  repeat: (message) =>
    attempt(() => ask(own("repeat"), { method: "POST", body: { message_id: message.id } })),
};

function reply(message) {
  page.replying = message;
  get("replying").hidden = !message;
  if (message) {
    get("replying").firstElementChild.textContent = word("replying", preview(message));
    get("text").focus();
  }
}

async function sendText() {
  const field = get("text");
  const text = field.value.trim();
  if (!text) return;
  await attempt(async () => {
    ready();
    if (get("as-owner").checked) {
      await ask(own("echo"), { method: "POST", body: { customer: page.customer, text } });
    } else {
      const body = { customer: page.customer, kind: "text", text };
      if (page.replying) body.reply_to = page.replying.id;
      await ask(own("messages"), { method: "POST", body });
    }
    field.value = "";
    reply(null);
    await poll();
  });
}

async function sendFile(file) {
  await attempt(async () => {
    ready();
    if (file.size > MOST_FILE_BYTES) throw new Error(word("too_large"));
    const type = file.type || "application/octet-stream";
    const told = await ask(own(`files?filename=${encodeURIComponent(file.name)}`), {
      method: "POST",
      body: file,
      headers: { "content-type": type },
    });
    const kinds = { image: "image", audio: "voice", video: "video" };
    const kind = kinds[type.split("/")[0]] ?? "document";
    const content = { kind, file_id: told.file_id };
    const caption = get("text").value.trim();
    if (caption && page.account.channel === "whatsapp" && kind !== "voice") {
      content.caption = caption;
      get("text").value = "";
    }
    await ask(own("messages"), { method: "POST", body: { customer: page.customer, ...content } });
    await poll();
  });
}

/* Calls. */

async function playCall() {
  await attempt(async () => {
    ready();
    const event = get("call-event").value;
    const text = get("call-text").value.trim();
    const body = { customer: page.customer, event };
    if (page.call && event !== "assistant-request") body.call_id = page.call;
    if (event === "tool-calls") {
      let parsed;
      try {
        parsed = JSON.parse(text || "{}");
      } catch {
        throw new Error(word("call_json"));
      }
      body.calls = [{ name: get("call-tool").value || "buscar", arguments: parsed }];
    } else if (event === "end-of-call-report") {
      const lines = text.split("\n").filter((line) => line.trim());
      body.turns = lines.map((line, at) => ({ role: at % 2 ? "user" : "assistant", text: line }));
      body.reason = "customer-ended-call";
    }
    const told = await ask(own("calls"), { method: "POST", body });
    page.call = told.call_id;
    get("call-answer").textContent = `${told.status}\n${JSON.stringify(told.body, null, 2)}`;
    await loadRecords();
  });
}

/* Inside. */

async function loadFailures() {
  const { failures } = await ask(own("documented"));
  const select = get("failure");
  select.replaceChildren();
  for (const failure of failures) {
    const breaks = failure.manner === "broken_connection";
    const name = breaks ? word("connection_breaks") : `${failure.code} · ${failure.message}`;
    const option = element("option", "", name);
    option.value = JSON.stringify({ code: failure.code, manner: failure.manner, subcode: failure.subcode ?? undefined });
    select.append(option);
  }
  const told = page.accounts.find(({ account }) => account.account_id === page.account.account_id);
  left(told?.failures_left ?? 0);
}

const left = (count) => {
  get("failures-left").textContent = word("failures_left", count);
};

async function planFailure() {
  await attempt(async () => {
    ready();
    if (!get("failure").value) return;
    const body = { ...JSON.parse(get("failure").value), times: Number(get("times").value) || 1 };
    if (body.manner === "broken_connection") body.status = 200;
    else if (get("later").checked && page.account.channel === "whatsapp") body.manner = "later";
    if (get("retry").value) body.retry_after = Number(get("retry").value);
    left((await ask(own("failures"), { method: "POST", body })).failures_left);
  });
}

async function loadRecords() {
  const told = await ask(own("requests"));
  records(get("requests"), told.requests, (record) => `${record.status} ${record.method} ${record.path}`, (record) => ({
    request: record.body,
    answer: record.answer,
  }));
  const title = (record) => `${record.status ?? word("unreachable")} · ${what(record.body)}`;
  records(get("deliveries"), told.deliveries, title, (record) => record.body);
}

/** What a delivery is about, in one word. */
function what(body) {
  const value = body?.entry?.[0]?.changes?.[0];
  const event = body?.entry?.[0]?.messaging?.[0] ?? {};
  const known = ["message", "postback", "reaction", "read", "delivery", "message_edit"];
  return value?.value?.statuses?.[0]?.status ?? value?.field ?? body?.event ?? body?.message?.type
    ?? known.find((name) => event[name]) ?? "";
}

function records(list, told, title, content) {
  const keys = told.map((record) => `${record.at} ${title(record)}`);
  if (list.dataset.keys === keys.join("\n") && list.childElementCount > 0) return;
  const open = [...list.querySelectorAll("details[open]")].map((details) => details.dataset.key);
  list.dataset.keys = keys.join("\n");
  list.replaceChildren();
  if (told.length === 0) list.append(element("li", "none", word("nothing")));
  for (const [at, record] of told.entries()) {
    const details = element("details");
    details.dataset.key = keys[at];
    details.open = open.includes(keys[at]);
    const json = element("pre", "", JSON.stringify(content(record), null, 2));
    json.tabIndex = 0;
    details.append(element("summary", "", title(record)), json);
    const item = element("li");
    item.append(details);
    list.append(item);
  }
}

/* What is pressed. */

function listen(id, event, act) {
  get(id).addEventListener(event, (happened) => {
    if (event === "submit") happened.preventDefault();
    act(happened);
  });
}

listen("account", "change", () => {
  const chosen = page.accounts.find(({ account }) => account.account_id === get("account").value);
  attempt(() => chooseAccount(chosen?.account ?? null));
});
listen("customer", "change", () => {
  page.customer = page.customers.find((customer) => customer.id === get("customer").value) ?? null;
  restart();
  attempt(poll);
});
listen("account-form", "submit", () =>
  attempt(async () => {
    const said = Object.fromEntries(new FormData(get("account-form")));
    if (!said.parent_id) delete said.parent_id;
    await ask("accounts", { method: "POST", body: said });
    get("account-details").open = false;
    get("setup-status").textContent = word("saved");
    await loadAccounts(said.account_id);
  }),
);
listen("edit-account", "click", () => {
  if (!page.account) return;
  const form = get("account-form");
  for (const field of form.elements) {
    if (field.name) field.value = page.account[field.name] ?? "";
  }
  get("account-details").open = true;
  form.elements.webhook_url.focus();
});
listen("verify", "click", () =>
  attempt(async () => {
    ready();
    const told = await ask(own("verify"), { method: "POST" });
    get("setup-status").textContent = told.right ? word("verified") : word("not_verified", told.reason);
  }),
);
listen("customer-form", "submit", () => {
  const said = new FormData(get("customer-form"));
  const customer = { id: said.get("id").replace(/[\s+]/g, ""), name: said.get("name"), hides_phone: said.has("hides_phone") };
  page.customers = page.customers.filter((known) => known.id !== customer.id).concat(customer);
  page.customer = customer;
  restart();
  drawCustomers();
  get("customer-details").open = false;
  get("text").focus();
  attempt(poll);
});
listen("composer", "submit", sendText);
listen("text", "keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    sendText();
  }
});
listen("stop-replying", "click", () => reply(null));
listen("file", "change", async () => {
  const [file] = get("file").files;
  if (file) await sendFile(file);
  get("file").value = "";
});
listen("place", "click", () =>
  write({ kind: "location", latitude: -12.0464, longitude: -77.0428, name: "Plaza Mayor", address: "Lima" }),
);
listen("caller", "submit", playCall);
listen("failure-form", "submit", planFailure);
listen("heal", "click", () =>
  attempt(async () => {
    ready();
    left((await ask(own("failures"), { method: "DELETE" })).failures_left);
  }),
);
listen("advance", "click", () =>
  attempt(async () => {
    await ask("clock", { method: "POST", body: { forward_seconds: 24 * 60 * 60 + 60 } });
    await poll();
  }),
);
for (const choice of document.querySelectorAll("[data-language]")) {
  choice.addEventListener("click", () => {
    speak(choice.dataset.language);
    get("setup-status").textContent = "";
    page.known = null;
    clear();
    get("requests").replaceChildren();
    get("deliveries").replaceChildren();
    attempt(() => loadAccounts().then(() => (page.account ? loadFailures() : null)).then(poll));
  });
}

async function run() {
  translate();
  await attempt(loadAccounts);
  for (;;) {
    // What is said of a missing answer goes away when there is one again.
    try {
      await poll();
      if (get("fault").textContent === word("offline")) get("fault").textContent = "";
    } catch (error) {
      get("fault").textContent = error.message;
    }
    await new Promise((wake) => setTimeout(wake, document.hidden ? 3000 : 1000));
  }
}

run();
