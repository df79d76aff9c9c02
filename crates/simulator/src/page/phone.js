// The conversation, as it looks on the phone of a customer. Whatever somebody wrote becomes text and
// never markup.

import { locale, word } from "./words.js";

const TICKS = { accepted: "◷", sent: "✓", delivered: "✓✓", read: "✓✓", failed: "⚠" };
/** What changes another message is seen there. */
const UNSEEN = ["reaction", "edited", "deleted"];

const log = document.getElementById("log");
const scroll = document.getElementById("scroll");
const shown = new Map();

export function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

export function clear() {
  shown.clear();
  log.replaceChildren();
}

/** Adds what is new and changes what has changed; nothing else is touched, so that nothing is read out twice. */
export function draw(messages, actions) {
  const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  const present = new Set(messages.map((message) => message.id));
  for (const [id, bubble] of shown) {
    if (present.has(id)) continue;
    bubble.item.remove();
    shown.delete(id);
  }
  let added = false;
  for (const message of messages) {
    if (UNSEEN.includes(message.kind)) continue;
    if (!shown.has(message.id)) {
      const bubble = make(message, actions);
      shown.set(message.id, bubble);
      log.append(bubble.item);
      added = true;
    }
    refresh(shown.get(message.id), message);
  }
  if (added && atEnd) scroll.scrollTop = scroll.scrollHeight;
}

export function preview(message) {
  return said(message).slice(0, 60);
}

function said(message) {
  if (message.deleted) return word("deleted");
  if (message.kind === "location") return word("location", message.text ?? "");
  if (message.kind === "unsupported") return word("unsupported");
  return message.text ?? (message.file ? (message.file.filename ?? word("file")) : "");
}

function make(message, actions) {
  const item = element("li", `bubble by-${message.author}`);
  const who = element("span", "who", word(message.author === "customer" ? "you" : message.author));
  item.append(who);
  if (message.template) item.append(element("span", "tag", word("template", message.template)));
  if (message.file) item.append(file(message.file));
  const text = element("p", "text");
  const foot = element("p", "foot");
  const time = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" });
  const edited = element("span", "edited");
  const state = element("span", "state");
  const reaction = element("span", "reaction");
  foot.append(element("time", "", time.format(message.at)), edited, state);
  item.append(text, reaction, foot);
  if (message.options.length > 0) item.append(options(message, actions));
  item.append(tools(message, actions));
  return { item, text, state, reaction, edited };
}

function refresh(bubble, message) {
  put(bubble.text, said(message));
  bubble.text.hidden = bubble.text.textContent === "";
  put(bubble.reaction, message.reaction ?? "");
  put(bubble.edited, message.edited ? word("edited") : "");
  const failed = message.failure_code ? word("failed_code", message.failure_code) : word("failed");
  const names = { delivered: word("delivered_state"), failed };
  const name = names[message.state] ?? word(message.state);
  if (bubble.name !== name) {
    bubble.name = name;
    const tick = element("span", "", TICKS[message.state]);
    tick.setAttribute("aria-hidden", "true");
    const shownName = message.state === "failed" ? "" : "unseen";
    bubble.state.replaceChildren(tick, " ", element("span", shownName, name));
    bubble.state.className = `state state-${message.state}`;
    bubble.state.title = name;
  }
  bubble.item.classList.toggle("gone", message.deleted);
  if (message.deleted) bubble.item.querySelector(".file")?.remove();
}

function put(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

function file(file) {
  const address = file.file_id ? `simulator/api/files/${encodeURIComponent(file.file_id)}` : file.url;
  const name = file.filename ?? word("file");
  const isWeb = file.file_id || /^https?:/.test(address ?? "");
  if (!isWeb) return element("p", "file", name);
  if (file.media === "image" || file.media === "sticker") {
    const image = element("img", "file");
    image.src = address;
    image.alt = name;
    image.loading = "lazy";
    image.referrerPolicy = "no-referrer";
    return image;
  }
  if (file.media === "audio" && file.file_id) {
    const audio = element("audio", "file");
    audio.controls = true;
    audio.src = address;
    return audio;
  }
  const link = element("a", "file", name);
  link.href = address;
  link.rel = "noreferrer noopener";
  link.target = "_blank";
  return link;
}

/** Buttons stand below the message; what was a list is opened first. */
function options(message, actions) {
  const holder = element(message.button ? "details" : "div", "choices");
  if (message.button) holder.append(element("summary", "", message.button));
  for (const option of message.options) {
    const tap = button(option.title, () => actions.tap(option, message));
    if (option.description) tap.append(element("small", "", option.description));
    holder.append(tap);
  }
  return holder;
}

function tools(message, actions) {
  const holder = element("div", "tools");
  const add = (name, act) => {
    const tool = button(word(name), act);
    holder.append(tool);
  };
  if (message.author === "customer") {
    if (message.kind === "text") {
      add("edit", () => actions.edit(message));
      add("delete", () => actions.remove(message));
    }
    add("repeat", () => actions.repeat(message));
  } else {
    add("reply", () => actions.reply(message));
    add("react", () => actions.react(message));
  }
  return holder;
}
