//! What a model is told beside what a customer says and what its tools answer.

use super::ending::describe_held;
use crate::turn::reply::Held;
use quipu_core::Error;
use quipu_core::chat::{ChatMessage, ChatRequest, ToolCall};
use quipu_core::language::Language;
use serde_json::{Value, json};

/// What a model is told of a call that whoever asked makes once it has answered: no provider takes a
/// call without a result.
pub(super) fn on_its_way(call: ToolCall) -> ChatMessage {
    let told = json!({
        "status": "pending",
        "hint": "the client makes this call after your message; say what you know, and do not call it again",
    });
    ChatMessage::ToolResult {
        call_id: call.id,
        name: call.name,
        content: told.to_string(),
        is_error: false,
    }
}

/// Asks again with a remark on what was said.
pub(super) fn repeat(request: &mut ChatRequest, said: String, remark: String) {
    if !said.trim().is_empty() {
        request.messages.push(ChatMessage::assistant(said));
    }
    request.messages.push(ChatMessage::user(remark));
}

/// An error as a model is shown it: what it is, what to do about it, and what would be right.
pub(super) fn told(error: &Error, language: Language) -> Value {
    let mut body = error.details().clone();
    body.insert("code".to_owned(), json!(error.code().as_str()));
    body.insert("message".to_owned(), json!(error.message(language)));
    json!({ "error": body })
}

/// What is wrong with what a model said, and what it is to do about it.
pub(super) fn correction(held: &Held, said: &str, language: Language) -> String {
    let about = describe_held(held).join(", ");
    let so_far = match (said.is_empty(), language) {
        (true, _) => String::new(),
        (false, Language::Es) => {
            format!(" El cliente ya leyó: «{said}». Continúa justo después, sin repetirlo.")
        }
        (false, Language::En) => format!(
            " The customer has already read: \"{said}\". Go on right after it, without repeating it."
        ),
    };
    match (held, language) {
        (Held::Unsupported(_), Language::Es) => format!(
            "[Control interno] Tu respuesta afirma algo que ninguna herramienta ni documento de este turno dice: {about}. Consúltalo con una herramienta o responde sin ese dato y di que no lo tienes.{so_far}"
        ),
        (Held::Unsupported(_), Language::En) => format!(
            "[Internal check] Your answer states something that no tool or document of this turn says: {about}. Look it up with a tool, or answer without it and say that you do not have it.{so_far}"
        ),
        (Held::Leaking(_), Language::Es) => format!(
            "[Control interno] Tu respuesta contiene algo que no debe salir: {about}. Responde sin ello.{so_far}"
        ),
        (Held::Leaking(_), Language::En) => format!(
            "[Internal check] Your answer contains something that must not leave: {about}. Answer without it.{so_far}"
        ),
    }
}

/// What a model is told that said nothing.
pub(super) fn nudge(language: Language) -> String {
    match language {
        Language::Es => {
            "[Control interno] Tu respuesta llegó vacía. Escribe la respuesta para el cliente."
        }
        Language::En => {
            "[Internal check] Your answer was empty. Write the answer for the customer."
        }
    }
    .to_owned()
}
