//! The messages of Anthropic.

mod reader;

use super::frames::Framing;
use super::protocol::{Ask, Reader, Wire, arguments, base64, decimal, signature};
use quipu_core::chat::{ChatMessage, ChatRequest, Image, ToolCall, ToolChoice, ToolSpec};
use reader::AnthropicReader;
use serde_json::{Value, json};

/// What comes behind the base address.
pub(super) const PATH: &str = "messages";
pub(super) const KEY_HEADER: &str = "x-api-key";
pub(super) const VERSION_HEADER: (&str, &str) = ("anthropic-version", "2023-06-01");
/// Whose signatures are sent back.
const SIGNER: &str = "anthropic";
/// What stands for the customer where a conversation begins with the agent, which is not taken.
const BEGINNING: &str = "…";
/// Above this Anthropic takes no temperature; others go to 2.
const HIGHEST_TEMPERATURE: f32 = 1.0;

pub(super) struct Anthropic;

impl Wire for Anthropic {
    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn body(&self, ask: &Ask<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let request = ask.request;
        let mut body = json!({
            "model": ask.model,
            "max_tokens": ask.max_tokens,
            "messages": messages(&request.messages),
            "stream": true,
        });
        let system = system(request);
        if !system.is_empty() {
            body["system"] = system.into();
        }
        if let Some(temperature) = ask.temperature
            && ask.quirks.takes_temperature()
        {
            body["temperature"] = decimal(temperature.min(HIGHEST_TEMPERATURE));
        }
        if !request.tools.is_empty() {
            body["tools"] = request.tools.iter().map(tool).collect();
            body["tool_choice"] = match &request.tool_choice {
                ToolChoice::Auto => json!({ "type": "auto" }),
                ToolChoice::Never => json!({ "type": "none" }),
                ToolChoice::Required => json!({ "type": "any" }),
                ToolChoice::Named(name) => json!({ "type": "tool", "name": name }),
            };
        }
        serde_json::to_vec(&body)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(AnthropicReader::default())
    }
}

/// The part that stays is to be remembered, and the tools before it with it; the part of this turn
/// is not.
fn system(request: &ChatRequest) -> Vec<Value> {
    let mut parts = Vec::new();
    if !request.system.trim().is_empty() {
        let remembered = json!({ "type": "ephemeral" });
        parts.push(json!({ "type": "text", "text": request.system, "cache_control": remembered }));
    }
    if !request.context.trim().is_empty() {
        parts.push(json!({ "type": "text", "text": request.context }));
    }
    parts
}

/// The messages as turns: what one side says in several messages is one turn, and all results of
/// a turn with calls have to stand in the next one.
fn messages(messages: &[ChatMessage]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = blocks(message);
        if blocks.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    if turns.first().is_some_and(|(role, _)| *role == "assistant") {
        turns.insert(0, ("user", vec![words(BEGINNING)]));
    }
    let turns = turns.into_iter();
    turns
        .map(|(role, content)| json!({ "role": role, "content": content }))
        .collect()
}

fn blocks(message: &ChatMessage) -> (&'static str, Vec<Value>) {
    let spoken = |text: &str| (!text.trim().is_empty()).then(|| words(text));
    match message {
        ChatMessage::User { text, images } => {
            let pictures = images.iter().map(picture);
            ("user", pictures.chain(spoken(text)).collect())
        }
        ChatMessage::Assistant { text, tool_calls } => {
            let mut blocks = thoughts(tool_calls);
            blocks.extend(spoken(text));
            blocks.extend(tool_calls.iter().map(|call| {
                json!({
                    "type": "tool_use",
                    "id": call.id,
                    "name": call.name,
                    "input": arguments(call),
                })
            }));
            ("assistant", blocks)
        }
        ChatMessage::ToolResult {
            call_id,
            content,
            is_error,
            ..
        } => {
            let mut result = json!({
                "type": "tool_result",
                "tool_use_id": call_id,
                "content": content,
            });
            if *is_error {
                result["is_error"] = true.into();
            }
            ("user", vec![result])
        }
    }
}

fn words(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn picture(image: &Image) -> Value {
    let source = json!({
        "type": "base64",
        "media_type": image.kind.mime(),
        "data": base64(image),
    });
    json!({ "type": "image", "source": source })
}

/// What the model thought before it called, which it wants to see again with its signature.
fn thoughts(calls: &[ToolCall]) -> Vec<Value> {
    let kept = calls.iter().filter_map(|call| signature(SIGNER, call));
    let lists = kept.filter_map(|text| serde_json::from_str::<Vec<Value>>(text).ok());
    lists.flatten().collect()
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.schema,
    })
}

#[cfg(test)]
mod tests;
