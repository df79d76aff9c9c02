//! Messages as OpenAI's clients write them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quipu_core::chat::{ChatMessage, Image, ImageType, ToolCall};
use quipu_core::validate::{Checks, Problem};
use serde::Deserialize;
use std::collections::HashMap;
use utoipa::ToSchema;

const MAX_IMAGES: usize = 8;
/// Who may speak where no call waits for its result.
const OTHER_ROLES: &str = "system, developer, user, assistant";
const IMAGES: &str = "data:image/png;base64, data:image/jpeg;base64, data:image/webp;base64";

#[derive(Deserialize, ToSchema)]
#[schema(as = CompletionMessage)]
pub(super) struct Message {
    pub(super) role: Role,
    /// A text, or parts of one.
    #[serde(default)]
    pub(super) content: Option<Content>,
    /// Calls that the client has made, in a message of the assistant.
    #[serde(default)]
    #[schema(max_items = 64)]
    pub(super) tool_calls: Option<Vec<ClientCall>>,
    /// Which call this is the result of, in a message of a tool.
    #[serde(default)]
    pub(super) tool_call_id: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = CompletionRole)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
}

#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize, ToSchema)]
#[schema(as = CompletionPart)]
pub(super) struct Part {
    /// `text`, or `image_url` with the picture itself as a `data:` address. In the input of a response,
    /// `input_text`, `output_text` and `input_image`.
    #[serde(rename = "type")]
    #[schema(example = "text")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    image_url: Option<ImageUrl>,
}

#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
enum ImageUrl {
    Plain(String),
    Object { url: String },
}

impl ImageUrl {
    fn address(&self) -> &str {
        match self {
            Self::Plain(url) | Self::Object { url } => url,
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub(super) struct ClientCall {
    pub(super) id: String,
    pub(super) function: Called,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = CompletionClientCalled)]
pub(super) struct Called {
    pub(super) name: String,
    /// JSON, as a text.
    pub(super) arguments: String,
}

/// A conversation as the house knows it.
pub(super) struct Told {
    pub(super) messages: Vec<ChatMessage>,
    /// What the client adds to the agent's instructions.
    pub(super) instructions: Option<String>,
}

/// Takes a conversation apart, in which each message comes with what its field is called. Its sizes are
/// checked where it is answered.
pub(super) fn conversation(messages: Vec<(String, Message)>, checks: &mut Checks) -> Told {
    let mut told = Vec::new();
    let mut instructions = Vec::new();
    // Calls by id, with the field that names them, until their results are seen.
    let mut open: HashMap<String, (String, String)> = HashMap::new();
    let mut images = 0;
    for (field, message) in messages {
        let content = content(message.content, &field, checks);
        images += content.images.len();
        match message.role {
            Role::System | Role::Developer => instructions.push(content.text),
            Role::User => told.push(ChatMessage::User {
                text: content.text,
                images: content.images,
            }),
            Role::Assistant => {
                let calls = message.tool_calls.unwrap_or_default();
                let tool_calls = calls.into_iter().enumerate().map(|(j, call)| {
                    let field = format!("{field}.tool_calls[{j}].id");
                    open.insert(call.id.clone(), (call.function.name.clone(), field));
                    ToolCall {
                        id: call.id,
                        name: call.function.name,
                        arguments: call.function.arguments,
                        signature: None,
                    }
                });
                let tool_calls: Vec<ToolCall> = tool_calls.collect();
                // Clients keep what an agent said while a person answered: nothing.
                if !tool_calls.is_empty() || !content.text.trim().is_empty() {
                    told.push(ChatMessage::Assistant {
                        text: content.text,
                        tool_calls,
                    });
                }
            }
            Role::Tool => {
                let id = message.tool_call_id.unwrap_or_default();
                if open.is_empty() {
                    // There is nothing that a tool could answer, so that no id would do.
                    let allowed = OTHER_ROLES.to_owned();
                    let field = format!("{field}.role");
                    checks.problem(&field, Problem::Unknown { allowed });
                    continue;
                }
                let Some((name, _)) = open.remove(&id) else {
                    let mut known: Vec<&str> = open.keys().map(String::as_str).collect();
                    known.sort_unstable();
                    let allowed = known.join(", ");
                    let field = format!("{field}.tool_call_id");
                    checks.problem(&field, Problem::Unknown { allowed });
                    continue;
                };
                told.push(ChatMessage::ToolResult {
                    call_id: id,
                    name,
                    content: content.text,
                    is_error: false,
                });
            }
        }
    }
    // A call without its result is refused by every provider.
    let mut missing: Vec<String> = open.into_values().map(|(_, field)| field).collect();
    missing.sort_unstable();
    for field in missing {
        checks.problem(&field, Problem::NotFound);
    }
    if images > MAX_IMAGES {
        checks.problem("messages", Problem::TooMany { max: MAX_IMAGES });
    }
    Told {
        messages: told,
        instructions: joined(&instructions),
    }
}

fn joined(instructions: &[String]) -> Option<String> {
    let parts = instructions.iter().map(|text| text.trim());
    let parts: Vec<&str> = parts.filter(|text| !text.is_empty()).collect();
    let text = parts.join(" ");
    (!text.is_empty()).then_some(text)
}

#[derive(Default)]
struct Read {
    text: String,
    images: Vec<Image>,
}

fn content(content: Option<Content>, field: &str, checks: &mut Checks) -> Read {
    let parts = match content {
        None => return Read::default(),
        Some(Content::Text(text)) => {
            return Read {
                text,
                images: Vec::new(),
            };
        }
        Some(Content::Parts(parts)) => parts,
    };
    let mut texts = Vec::new();
    let mut images = Vec::new();
    for (i, part) in parts.into_iter().enumerate() {
        let field = format!("{field}.content[{i}]");
        match (part.kind.as_str(), part.text, part.image_url) {
            ("text" | "input_text" | "output_text", text, _) => {
                texts.push(text.unwrap_or_default());
            }
            ("refusal", ..) => texts.push(part.refusal.unwrap_or_default()),
            ("image_url" | "input_image", _, Some(address)) => {
                if let Some(image) = image(address.address()) {
                    images.push(image);
                } else {
                    let allowed = IMAGES.to_owned();
                    let field = format!("{field}.image_url.url");
                    checks.problem(&field, Problem::Unknown { allowed });
                }
            }
            _ => {
                let allowed = "text, image_url".to_owned();
                checks.problem(&format!("{field}.type"), Problem::Unknown { allowed });
            }
        }
    }
    Read {
        text: texts.join("\n"),
        images,
    }
}

/// A picture that is in its own address. Nothing is fetched from anywhere.
fn image(address: &str) -> Option<Image> {
    let (_, data) = address
        .strip_prefix("data:image/")?
        .split_once(";base64,")?;
    let bytes = STANDARD.decode(data).ok()?;
    let kind = ImageType::of(&bytes)?;
    Some(Image {
        kind,
        bytes: bytes.into(),
    })
}
