// Every word on the page, in both languages.

const WORDS = {
  es: {
    skip: "Ir a la conversación",
    title: "Simulador de canales",
    subtitle: "Nada de esto sale de esta máquina.",
    clock: "Reloj",
    advance: "Adelantar 24 h",
    language: "Idioma",
    setup: "Quién habla con quién",
    account: "Cuenta del negocio",
    no_account: "Todavía no hay cuentas",
    verify: "Probar el webhook",
    verified: "El webhook contestó bien.",
    not_verified: "El webhook no contestó bien: {0}",
    edit_account: "Cambiar",
    add_account: "Añadir una cuenta",
    channel: "Canal",
    voice: "Voz (Vapi)",
    account_id: "Id de la cuenta (número o página)",
    parent_id: "Id de la cuenta de WhatsApp Business (opcional)",
    token: "Token de acceso",
    app_secret: "Secreto con el que se firma",
    verify_token: "Token de verificación",
    webhook_url: "Dirección del webhook",
    save: "Guardar",
    saved: "Cuenta guardada.",
    customer: "Cliente",
    add_customer: "Otro cliente",
    name: "Nombre",
    number: "Número con código de país, o id",
    hides_phone: "Oculta su número",
    use: "Usar",
    phone: "Teléfono del cliente",
    window_open: "Ventana de 24 h abierta",
    window_closed: "Ventana de 24 h cerrada: solo llegan plantillas",
    conversation: "Conversación",
    typing: "El negocio está escribiendo…",
    message: "Mensaje",
    attach: "Adjuntar",
    place: "Ubicación",
    send: "Enviar",
    cancel: "Cancelar",
    as_owner: "Responde el dueño desde su teléfono",
    receipts: "El cliente confirma la lectura",
    replying: "Respondes a: {0}",
    reply: "Responder",
    react: "Reaccionar con 👍",
    edit: "Editar",
    delete: "Borrar",
    repeat: "Entregar otra vez",
    edit_prompt: "Nuevo texto",
    you: "Cliente",
    business: "Negocio",
    owner: "Dueño",
    accepted: "en camino",
    sent: "enviado",
    delivered_state: "entregado",
    read: "leído",
    failed: "no llegó",
    failed_code: "no llegó ({0})",
    edited: "editado",
    deleted: "Mensaje borrado",
    file: "Archivo",
    location: "Ubicación: {0}",
    unsupported: "Mensaje que el canal no puede mostrar",
    template: "Plantilla {0}",
    choose: "Ver opciones",
    call_event: "Qué pasa en la llamada",
    call_rings: "Suena: ¿quién contesta?",
    call_tool: "El asistente usa una herramienta",
    call_transfer: "Pide pasar con una persona",
    call_ends: "Cuelga",
    call_tool_name: "Herramienta",
    call_text: "Argumentos en JSON, o lo que se dijo (una línea por turno)",
    call_play: "Que pase",
    call_answer: "Respuesta",
    call_json: "Los argumentos no son JSON.",
    inside: "Por dentro",
    failures: "Fallos del canal",
    failure: "El próximo mensaje del negocio falla con",
    connection_breaks: "la conexión se corta sin respuesta",
    times: "Veces",
    retry_after: "Esperar (s)",
    later: "Lo acepta, y el fallo llega después",
    plan: "Que falle",
    heal: "Sin fallos",
    failures_left: "Fallos pendientes: {0}",
    asked: "Lo que pidió el negocio",
    delivered: "Lo que se le entregó",
    unreachable: "no se pudo entregar",
    nothing: "Nada todavía.",
    choose_account: "Primero elige una cuenta y un cliente.",
    too_large: "El archivo pasa de 5 MB.",
    offline: "El simulador no contesta.",
  },
  en: {
    skip: "Skip to the conversation",
    title: "Channel simulator",
    subtitle: "Nothing of this leaves this machine.",
    clock: "Clock",
    advance: "24 h forward",
    language: "Language",
    setup: "Who talks to whom",
    account: "Account of the business",
    no_account: "No accounts yet",
    verify: "Try the webhook",
    verified: "The webhook answered well.",
    not_verified: "The webhook did not answer well: {0}",
    edit_account: "Change",
    add_account: "Add an account",
    channel: "Channel",
    voice: "Voice (Vapi)",
    account_id: "Id of the account (number or page)",
    parent_id: "Id of the WhatsApp Business Account (optional)",
    token: "Access token",
    app_secret: "Secret for signatures",
    verify_token: "Verify token",
    webhook_url: "Address of the webhook",
    save: "Save",
    saved: "Account saved.",
    customer: "Customer",
    add_customer: "Another customer",
    name: "Name",
    number: "Number with country code, or id",
    hides_phone: "Hides their number",
    use: "Use",
    phone: "The customer's phone",
    window_open: "24 h window open",
    window_closed: "24 h window closed: only templates arrive",
    conversation: "Conversation",
    typing: "The business is writing…",
    message: "Message",
    attach: "Attach",
    place: "Place",
    send: "Send",
    cancel: "Cancel",
    as_owner: "The owner answers from their phone",
    receipts: "The customer confirms reading",
    replying: "Answering: {0}",
    reply: "Reply",
    react: "React with 👍",
    edit: "Edit",
    delete: "Delete",
    repeat: "Deliver again",
    edit_prompt: "New text",
    you: "Customer",
    business: "Business",
    owner: "Owner",
    accepted: "on its way",
    sent: "sent",
    delivered_state: "delivered",
    read: "read",
    failed: "did not arrive",
    failed_code: "did not arrive ({0})",
    edited: "edited",
    deleted: "Deleted message",
    file: "File",
    location: "Place: {0}",
    unsupported: "A message that the channel cannot show",
    template: "Template {0}",
    choose: "Show options",
    call_event: "What happens in the call",
    call_rings: "It rings: who answers?",
    call_tool: "The assistant uses a tool",
    call_transfer: "Asks for a person",
    call_ends: "Hangs up",
    call_tool_name: "Tool",
    call_text: "Arguments in JSON, or what was said (a line for each turn)",
    call_play: "Let it happen",
    call_answer: "Answer",
    call_json: "The arguments are not JSON.",
    inside: "Inside",
    failures: "Failures of the channel",
    failure: "The next message of the business fails with",
    connection_breaks: "the connection breaks without an answer",
    times: "Times",
    retry_after: "Wait (s)",
    later: "It is taken, and fails later",
    plan: "Let it fail",
    heal: "No failures",
    failures_left: "Failures to come: {0}",
    asked: "What the business asked",
    delivered: "What was delivered to it",
    unreachable: "could not be delivered",
    nothing: "Nothing yet.",
    choose_account: "Choose an account and a customer first.",
    too_large: "The file is larger than 5 MB.",
    offline: "The simulator does not answer.",
  },
};

let language = remembered() === "en" ? "en" : "es";

// A browser may forbid remembering anything.
function remembered() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}

export function word(name, ...values) {
  const text = WORDS[language][name] ?? name;
  return values.reduce((filled, value, at) => filled.replace(`{${at}}`, () => String(value)), text);
}

export function locale() {
  return language;
}

export function speak(next) {
  language = next;
  try {
    localStorage.setItem("language", next);
  } catch {
    // It is asked again next time.
  }
  translate();
}

/** Writes the words of the language into everything that names one. */
export function translate() {
  document.documentElement.lang = language;
  document.title = word("title");
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = word(element.dataset.word);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", word(element.dataset.label));
  }
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === language));
  }
}
