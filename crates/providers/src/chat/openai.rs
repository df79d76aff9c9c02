//! The chat completions of OpenAI, and of the many servers that speak like it.

mod reader;

use super::frames::Framing;
use super::protocol::{Ask, Reader, Wire, base64, decimal, signature, signed};
use quipu_core::chat::{ChatMessage, Image, ToolCall, ToolChoice, ToolSpec};
use reader::OpenaiReader;
use serde_json::{Value, json};

/// What comes behind the base address.
pub(super) const PATH: &str = "chat/completions";
/// Whose signatures are sent back.
const SIGNER: &str = "openai";

pub(super) struct Openai {
    /// Whether it is OpenAI itself, which knows names that others do not.
    pub(super) itself: bool,
}

impl Wire for Openai {
    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let request = ask.request;
        let mut body = json!({
            "model": ask.model,
            "messages": messages(ask),
            "stream": true,
        });
        let length = if self.itself || ask.quirks.wants_completion_tokens() {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        body[length] = ask.max_tokens.into();
        if ask.quirks.tells_usage() {
            body["stream_options"] = json!({ "include_usage": true });
        }
        let thinks = self.itself && decides_temperature(ask.model);
        if let Some(temperature) = ask.temperature
            && !thinks
            && ask.quirks.takes_temperature()
        {
            body["temperature"] = decimal(temperature);
        }
        if !request.tools.is_empty() {
            body["tools"] = request.tools.iter().map(tool).collect();
            match &request.tool_choice {
                ToolChoice::Auto => {}
                ToolChoice::Never => body["tool_choice"] = "none".into(),
                ToolChoice::Required => body["tool_choice"] = "required".into(),
                ToolChoice::Named(name) => {
                    body["tool_choice"] =
                        json!({ "type": "function", "function": { "name": name } });
                }
            }
        }
        body
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(OpenaiReader::default())
    }
}

/// Models that think first take no temperature. Those that only chat have it in their name.
fn decides_temperature(model: &str) -> bool {
    let mut letters = model.chars();
    let of_o_series =
        letters.next() == Some('o') && letters.next().is_some_and(|c| c.is_ascii_digit());
    let of_fifth = model.starts_with("gpt-5") && !model.contains("chat");
    of_o_series || of_fifth
}

fn messages(ask: &Ask<'_>) -> Vec<Value> {
    let mut messages = Vec::with_capacity(ask.request.messages.len() + 1);
    let instructions = ask.request.instructions();
    if !instructions.is_empty() {
        messages.push(json!({ "role": "system", "content": instructions }));
    }
    messages.extend(ask.request.messages.iter().filter_map(message));
    messages
}

/// A message that says nothing is left out.
fn message(message: &ChatMessage) -> Option<Value> {
    match message {
        ChatMessage::User { text, images } if images.is_empty() => {
            (!text.trim().is_empty()).then(|| json!({ "role": "user", "content": text }))
        }
        ChatMessage::User { text, images } => {
            let words = (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
            let parts: Vec<Value> = words
                .into_iter()
                .chain(images.iter().map(picture))
                .collect();
            Some(json!({ "role": "user", "content": parts }))
        }
        ChatMessage::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            (!text.trim().is_empty()).then(|| json!({ "role": "assistant", "content": text }))
        }
        ChatMessage::Assistant { text, tool_calls } => {
            let calls: Vec<Value> = tool_calls.iter().map(call).collect();
            let content = Some(text).filter(|text| !text.is_empty());
            Some(json!({ "role": "assistant", "content": content, "tool_calls": calls }))
        }
        ChatMessage::ToolResult {
            call_id, content, ..
        } => Some(json!({ "role": "tool", "tool_call_id": call_id, "content": content })),
    }
}

fn picture(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.kind.mime(), base64(image));
    json!({ "type": "image_url", "image_url": { "url": url } })
}

fn call(call: &ToolCall) -> Value {
    let mut value = json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    });
    let extra = signature(SIGNER, call).and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(extra) = extra {
        value["extra_content"] = extra;
    }
    value
}

/// What came with a call besides, which Gemini behind this protocol wants back.
fn signature_of(call: &Value) -> Option<String> {
    let extra = &call["extra_content"];
    extra
        .is_object()
        .then(|| signed(SIGNER, &extra.to_string()))
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
        },
    })
}

#[cfg(test)]
mod tests;
