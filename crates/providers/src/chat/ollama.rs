//! Ollama's own protocol, which has what its imitation of OpenAI's lacks: how much a model reads.

mod reader;

use super::frames::Framing;
use super::protocol::{Ask, Reader, Wire, arguments, base64, decimal};
use quipu_core::chat::{ChatMessage, ToolCall, ToolChoice, ToolSpec};
use reader::OllamaReader;
use serde_json::{Value, json};

/// What comes behind the base address.
pub(super) const PATH: &str = "api/chat";
/// What a model reads unless the configuration says otherwise. Ollama itself would forget the
/// beginning of anything longer than a few pages, which is where the instructions stand.
const CONTEXT_TOKENS: u32 = 16_384;

pub(super) struct Ollama;

impl Wire for Ollama {
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn body(&self, ask: &Ask<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let request = ask.request;
        let mut options = json!({
            "num_predict": ask.max_tokens,
            "num_ctx": ask.context_tokens.unwrap_or(CONTEXT_TOKENS),
        });
        if let Some(temperature) = ask.temperature {
            options["temperature"] = decimal(temperature);
        }
        let mut messages = Vec::with_capacity(request.messages.len() + 1);
        let instructions = request.instructions();
        if !instructions.is_empty() {
            messages.push(json!({ "role": "system", "content": instructions }));
        }
        messages.extend(request.messages.iter().map(message));
        let mut body = json!({
            "model": ask.model,
            "messages": messages,
            "options": options,
            "stream": true,
        });
        // There is no way to forbid tools but to show none.
        if !request.tools.is_empty() && request.tool_choice != ToolChoice::Never {
            body["tools"] = request.tools.iter().map(tool).collect();
        }
        serde_json::to_vec(&body)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(OllamaReader::default())
    }
}

fn message(message: &ChatMessage) -> Value {
    match message {
        ChatMessage::User { text, images } => {
            let mut value = json!({ "role": "user", "content": text });
            if !images.is_empty() {
                value["images"] = images.iter().map(|image| json!(base64(image))).collect();
            }
            value
        }
        ChatMessage::Assistant { text, tool_calls } => {
            let mut value = json!({ "role": "assistant", "content": text });
            if !tool_calls.is_empty() {
                value["tool_calls"] = tool_calls.iter().map(call).collect();
            }
            value
        }
        ChatMessage::ToolResult { name, content, .. } => {
            json!({ "role": "tool", "tool_name": name, "content": content })
        }
    }
}

fn call(call: &ToolCall) -> Value {
    json!({ "function": { "name": call.name, "arguments": arguments(call) } })
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
