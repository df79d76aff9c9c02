//! What a question to an agent looks like.

use quipu_app::chat::{Ask, Whom};
use quipu_core::chat::{ChatMessage, ToolChoice};
use quipu_core::lead::Channel;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ConversationId, LeadId, Result};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChatRequest {
    /// The tenant's id or slug; when given, it must be the one the credential is for.
    #[serde(default)]
    #[schema(max_length = 100)]
    project_id: Option<String>,
    /// The conversation so far, oldest first; the last message is the question. The question of a
    /// customer who is known may come alone: what was said before it is remembered. Of a long
    /// conversation the last hundred messages are read.
    #[schema(min_items = 1)]
    messages: Vec<Message>,
    /// Server-sent events when true, one JSON answer when false.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub(super) stream: bool,
    /// How the events of a stream are written.
    #[serde(default)]
    pub(super) protocol: Protocol,
    /// By what name the caller knows the customer. With it the conversation is kept, and the agent
    /// can book and order. It takes `customers:write`: without, a turn on `web` is anonymous and one
    /// on another channel is refused.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "visitante-42")]
    user: Option<String>,
    /// A customer who is known already; it takes `customers:write`.
    #[serde(default)]
    lead_id: Option<LeadId>,
    /// A conversation that is there already; it takes `customers:write`.
    #[serde(default)]
    conversation_id: Option<ConversationId>,
    /// Where the customer writes from; `web` when left out.
    #[serde(default)]
    channel: Option<Channel>,
    /// Whether the agent answers as its draft has it, to try it out. It takes `agents:write`, and no
    /// customer is named with it.
    #[serde(default)]
    #[schema(default = false)]
    draft: bool,
    /// The Vercel AI SDK sends these; they are not used.
    #[serde(default, rename = "id")]
    _id: Option<String>,
    #[serde(default, rename = "trigger")]
    _trigger: Option<String>,
    #[serde(default, rename = "messageId")]
    _message_id: Option<String>,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Protocol {
    #[default]
    Quipu,
    /// The UI message stream of the Vercel AI SDK, version 1.
    UiMessageStream,
}

/// A message with its text, or with parts as the Vercel AI SDK sends them.
#[derive(Deserialize, ToSchema)]
#[schema(as = ChatMessage)]
#[serde(deny_unknown_fields)]
struct Message {
    role: Role,
    #[serde(default)]
    #[schema(max_length = 20_000, example = "¿a cómo la limpieza?")]
    content: Option<String>,
    #[serde(default)]
    #[schema(max_items = 100)]
    parts: Vec<Part>,
    /// The Vercel AI SDK sends these; they are not used.
    #[serde(default, rename = "id")]
    _id: Option<String>,
    #[serde(default, rename = "metadata")]
    #[schema(value_type = Option<Object>)]
    _metadata: Option<serde_json::Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ChatRole)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

/// A part of a message. Those that hold no text are passed over.
#[derive(Deserialize, ToSchema)]
#[schema(as = ChatPart)]
struct Part {
    #[serde(rename = "type")]
    #[schema(example = "text")]
    kind: String,
    #[serde(default)]
    #[schema(max_length = 20_000)]
    text: Option<String>,
}

impl ChatRequest {
    pub(super) fn into_ask(self) -> Result<Ask> {
        let mut checks = Checks::new();
        let whom = match (self.user, self.lead_id, self.conversation_id) {
            (None, None, None) => Whom::Nobody,
            (Some(user), None, None) => Whom::Visitor(checks.line("user", &user, 200)),
            (None, lead, conversation) => Whom::Customer { lead, conversation },
            (Some(_), _, _) => {
                let fields = "user, lead_id / conversation_id".to_owned();
                checks.problem("user", Problem::OneOf { fields });
                Whom::Nobody
            }
        };
        checks.finish()?;
        Ok(Ask {
            project_id: self.project_id,
            messages: self.messages.into_iter().map(Message::into_core).collect(),
            whom,
            channel: self.channel.unwrap_or(Channel::Web),
            instructions: None,
            client_tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            draft: self.draft,
        })
    }
}

impl Message {
    fn into_core(self) -> ChatMessage {
        let parts = self.parts.into_iter().filter(|part| part.kind == "text");
        let parts: Vec<String> = parts.filter_map(|part| part.text).collect();
        let content = self.content.filter(|content| !content.trim().is_empty());
        let text = content.unwrap_or_else(|| parts.join("\n"));
        match self.role {
            Role::User => ChatMessage::user(text),
            Role::Assistant => ChatMessage::assistant(text),
        }
    }
}
