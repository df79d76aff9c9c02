//! The chat completions of OpenAI, and of the many servers that speak like it.

mod reader;

use super::frames::Framing;
use super::protocol::{Ask, Reader, Wire, base64, decimal, signature, signed};
use quipu_core::chat::{ChatMessage, Image, ToolCall, ToolChoice, ToolSpec};
use reader::OpenaiReader;
use serde::Serialize;
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

    fn body(&self, ask: &Ask<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let request = ask.request;
        let most = Some(ask.max_tokens);
        let completion = self.itself || ask.quirks.wants_completion_tokens();
        let thinks = self.itself && decides_temperature(ask.model);
        let temperature = ask
            .temperature
            .filter(|_| !thinks && ask.quirks.takes_temperature());
        let instructions = request.instructions();
        serde_json::to_vec(&Body {
            model: ask.model,
            messages: messages(&instructions, &request.messages),
            stream: true,
            max_completion_tokens: most.filter(|_| completion),
            max_tokens: most.filter(|_| !completion),
            stream_options: ask
                .quirks
                .tells_usage()
                .then(|| json!({ "include_usage": true })),
            temperature: temperature.map(decimal),
            tools: request.tools.iter().map(Tool::from).collect(),
            tool_choice: match &request.tool_choice {
                _ if request.tools.is_empty() => None,
                ToolChoice::Auto => None,
                ToolChoice::Never => Some("none".into()),
                ToolChoice::Required => Some("required".into()),
                ToolChoice::Named(name) => {
                    Some(json!({ "type": "function", "function": { "name": name } }))
                }
            },
        })
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

/// What is sent, written straight from what it is made of: schemas and what was said are not copied
/// first.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Message<'a> {
    Plain {
        role: &'static str,
        content: &'a str,
    },
    /// With pictures, calls or the result of one.
    Rich(Value),
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

impl<'a> From<&'a ToolSpec> for Tool<'a> {
    fn from(tool: &'a ToolSpec) -> Self {
        Self {
            kind: "function",
            function: Function {
                name: &tool.name,
                description: &tool.description,
                parameters: &tool.schema,
            },
        }
    }
}

fn messages<'a>(instructions: &'a str, messages: &'a [ChatMessage]) -> Vec<Message<'a>> {
    let system = plain("system", instructions);
    let said = messages.iter().filter_map(message);
    system.into_iter().chain(said).collect()
}

/// A message that says nothing is left out.
fn plain<'a>(role: &'static str, content: &'a str) -> Option<Message<'a>> {
    (!content.trim().is_empty()).then_some(Message::Plain { role, content })
}

fn message(message: &ChatMessage) -> Option<Message<'_>> {
    let rich = match message {
        ChatMessage::User { text, images } if images.is_empty() => return plain("user", text),
        ChatMessage::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            return plain("assistant", text);
        }
        ChatMessage::User { text, images } => {
            let words = (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
            let parts: Vec<Value> = words
                .into_iter()
                .chain(images.iter().map(picture))
                .collect();
            json!({ "role": "user", "content": parts })
        }
        ChatMessage::Assistant { text, tool_calls } => {
            let calls: Vec<Value> = tool_calls.iter().map(call).collect();
            let content = Some(text).filter(|text| !text.is_empty());
            json!({ "role": "assistant", "content": content, "tool_calls": calls })
        }
        ChatMessage::ToolResult {
            call_id, content, ..
        } => json!({ "role": "tool", "tool_call_id": call_id, "content": content }),
    };
    Some(Message::Rich(rich))
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

#[cfg(test)]
mod tests;
