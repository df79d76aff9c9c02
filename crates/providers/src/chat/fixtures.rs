//! A conversation that has everything in it, and readers fed by hand.

use super::protocol::{Ask, Wire};
use super::quirks::Quirks;
use bytes::Bytes;
use quipu_core::chat::{
    ChatError, ChatEvent, ChatMessage, ChatRequest, Image, ImageType, ToolCall, ToolChoice,
    ToolSpec,
};
use serde_json::{Value, json};

pub(super) fn conversation() -> ChatRequest {
    ChatRequest {
        system: "Eres Maya.".to_owned(),
        context: "Es lunes.".to_owned(),
        messages: vec![
            ChatMessage::assistant("¡Hola!"),
            ChatMessage::User {
                text: "¿Hay citas?".to_owned(),
                images: vec![Image {
                    kind: ImageType::Png,
                    bytes: Bytes::from_static(b"foto"),
                }],
            },
            ChatMessage::Assistant {
                text: String::new(),
                tool_calls: vec![call("a", "slots", "{\"day\":1}"), call("b", "prices", "{")],
            },
            result("a", "slots", "{\"free\":[9]}", false),
            result("b", "prices", "no entendí", true),
            ChatMessage::assistant(" "),
            ChatMessage::user("Gracias"),
        ],
        tools: vec![
            ToolSpec {
                name: "slots".to_owned(),
                description: "Horas libres".to_owned(),
                schema: json!({
                    "type": "object",
                    "properties": { "day": { "type": "integer" } },
                    "additionalProperties": false,
                }),
            },
            ToolSpec {
                name: "prices".to_owned(),
                description: "Precios".to_owned(),
                schema: json!({ "type": "object", "properties": {} }),
            },
        ],
        tool_choice: ToolChoice::Auto,
        temperature: None,
        max_tokens: None,
        begin_within: None,
    }
}

pub(super) fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        signature: None,
    }
}

fn result(call_id: &str, name: &str, content: &str, is_error: bool) -> ChatMessage {
    ChatMessage::ToolResult {
        call_id: call_id.to_owned(),
        name: name.to_owned(),
        content: content.to_owned(),
        is_error,
    }
}

/// The body for a model with a temperature of 0.3.
pub(super) fn body(wire: &dyn Wire, model: &str, request: &ChatRequest) -> Value {
    body_knowing(wire, model, request, &Quirks::default())
}

pub(super) fn body_knowing(
    wire: &dyn Wire,
    model: &str,
    request: &ChatRequest,
    quirks: &Quirks,
) -> Value {
    written(
        wire,
        &Ask {
            model,
            temperature: Some(0.3),
            max_tokens: 500,
            context_tokens: None,
            quirks,
            request,
        },
    )
}

/// A body, read again.
pub(super) fn written(wire: &dyn Wire, ask: &Ask<'_>) -> Value {
    serde_json::from_slice(&wire.body(ask).unwrap()).unwrap()
}

/// What a reader makes of messages; the end is told to it as well. `None` is half an answer.
pub(super) fn read(
    wire: &dyn Wire,
    messages: &[Value],
) -> Result<Option<Vec<ChatEvent>>, ChatError> {
    let mut reader = wire.reader();
    let mut events = Vec::new();
    for message in messages {
        let text = match message {
            Value::String(text) => text.clone(),
            message => message.to_string(),
        };
        reader.read(&text, &mut events)?;
    }
    let whole = reader.finish(&mut events);
    Ok(whole.then_some(events))
}
