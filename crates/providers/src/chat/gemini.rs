//! The content that Gemini generates.

mod reader;

use super::frames::Framing;
use super::protocol::{Ask, Reader, Wire, arguments, base64, decimal, signature};
use super::schema;
use quipu_core::chat::{ChatMessage, Image, ToolCall, ToolChoice, ToolSpec};
use reader::GeminiReader;
use serde_json::{Value, json};

pub(super) const KEY_HEADER: &str = "x-goog-api-key";
/// Asks for server-sent events rather than one growing list.
pub(super) const QUERY: (&str, &str) = ("alt", "sse");
/// Whose signatures are sent back.
const SIGNER: &str = "gemini";

/// What comes behind the base address, for a model in any of the spellings that Google uses.
pub(super) fn path(model: &str) -> String {
    let model = model.trim().trim_matches('/');
    let folder = if model.starts_with("models/") || model.starts_with("tunedModels/") {
        ""
    } else {
        "models/"
    };
    format!("{folder}{model}:streamGenerateContent")
}

pub(super) struct Gemini;

impl Wire for Gemini {
    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn body(&self, ask: &Ask<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let request = ask.request;
        let mut generation = json!({ "maxOutputTokens": ask.max_tokens });
        if let Some(temperature) = ask.temperature
            && ask.quirks.takes_temperature()
        {
            generation["temperature"] = decimal(temperature);
        }
        let mut body = json!({
            "contents": contents(&request.messages),
            "generationConfig": generation,
        });
        let instructions = request.instructions();
        if !instructions.is_empty() {
            body["systemInstruction"] = json!({ "parts": [{ "text": instructions }] });
        }
        if !request.tools.is_empty() {
            let tools: Vec<Value> = request.tools.iter().map(tool).collect();
            body["tools"] = json!([{ "functionDeclarations": tools }]);
            let calling = match &request.tool_choice {
                ToolChoice::Auto => json!({ "mode": "AUTO" }),
                ToolChoice::Never => json!({ "mode": "NONE" }),
                ToolChoice::Required => json!({ "mode": "ANY" }),
                ToolChoice::Named(name) => {
                    json!({ "mode": "ANY", "allowedFunctionNames": [name] })
                }
            };
            body["toolConfig"] = json!({ "functionCallingConfig": calling });
        }
        serde_json::to_vec(&body)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(GeminiReader::default())
    }
}

/// The messages as turns of two sides. Results of calls are said by the customer's side.
fn contents(messages: &[ChatMessage]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, parts) = parts(message);
        if parts.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(parts),
            _ => turns.push((role, parts)),
        }
    }
    let turns = turns.into_iter();
    turns
        .map(|(role, parts)| json!({ "role": role, "parts": parts }))
        .collect()
}

fn parts(message: &ChatMessage) -> (&'static str, Vec<Value>) {
    let spoken = |text: &str| (!text.trim().is_empty()).then(|| json!({ "text": text }));
    match message {
        ChatMessage::User { text, images } => {
            let pictures = images.iter().map(picture);
            ("user", pictures.chain(spoken(text)).collect())
        }
        ChatMessage::Assistant { text, tool_calls } => {
            let calls = tool_calls.iter().map(call);
            ("model", spoken(text).into_iter().chain(calls).collect())
        }
        ChatMessage::ToolResult {
            name,
            content,
            is_error,
            ..
        } => {
            let response = match serde_json::from_str(content) {
                Ok(Value::Object(object)) if !is_error => Value::Object(object),
                _ if *is_error => json!({ "error": content }),
                _ => json!({ "result": content }),
            };
            let result = json!({ "functionResponse": { "name": name, "response": response } });
            ("user", vec![result])
        }
    }
}

fn picture(image: &Image) -> Value {
    json!({ "inlineData": { "mimeType": image.kind.mime(), "data": base64(image) } })
}

fn call(call: &ToolCall) -> Value {
    let mut part = json!({ "functionCall": { "name": call.name, "args": arguments(call) } });
    if let Some(signature) = signature(SIGNER, call) {
        part["thoughtSignature"] = signature.into();
    }
    part
}

fn tool(tool: &ToolSpec) -> Value {
    let mut declared = json!({ "name": tool.name, "description": tool.description });
    // An object without properties is refused; a function without parameters is not.
    if let Some(parameters) = schema::for_gemini(&tool.schema) {
        declared["parameters"] = parameters;
    }
    declared
}

#[cfg(test)]
mod tests;
