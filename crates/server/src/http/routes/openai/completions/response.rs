//! A whole answer as OpenAI's clients read it.

use super::super::ending::{Ending, Extras, as_object};
use quipu_app::chat::Answered;
use quipu_core::chat::{ToolCall, Usage};
use quipu_core::{Timestamp, TurnId};
use serde::Serialize;
use utoipa::ToSchema;

/// What an answer and all of its chunks begin with.
#[derive(Clone)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: String,
}

impl Head {
    pub(super) fn new(now: Timestamp, agent: &str) -> Self {
        Self {
            id: format!("chatcmpl-{}", TurnId::generate(now)),
            created: now.as_second(),
            model: agent.to_owned(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(in crate::http::routes) struct Completion {
    #[schema(example = "chatcmpl-0199c0de")]
    id: String,
    #[schema(example = "chat.completion")]
    object: &'static str,
    created: i64,
    model: String,
    choices: Vec<Choice>,
    usage: Took,
    quipu: Extras,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CompletionChoice)]
struct Choice {
    index: u32,
    message: AnswerMessage,
    finish_reason: &'static str,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CompletionAnswerMessage)]
struct AnswerMessage {
    #[schema(example = "assistant")]
    role: &'static str,
    content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
}

/// A call of a tool that the client is to make.
#[derive(Serialize, ToSchema)]
#[schema(as = CompletionCall)]
pub(super) struct Call {
    pub(super) id: String,
    #[serde(rename = "type")]
    #[schema(example = "function")]
    kind: &'static str,
    function: Called,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CompletionCalled)]
struct Called {
    name: String,
    /// JSON, as a text.
    arguments: String,
}

impl From<ToolCall> for Call {
    fn from(call: ToolCall) -> Self {
        Self {
            id: call.id,
            kind: "function",
            function: Called {
                name: call.name,
                arguments: call.arguments,
            },
        }
    }
}

/// The tokens of all the models that were asked; none when the product itself answered.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(super) struct Took {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    prompt_tokens_details: Cached,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
struct Cached {
    cached_tokens: u64,
}

impl From<Usage> for Took {
    fn from(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            total_tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            prompt_tokens_details: Cached {
                cached_tokens: usage.cached_input_tokens,
            },
        }
    }
}

/// Why an answer ends.
pub(super) const fn finish_reason(ending: &Ending) -> &'static str {
    if ending.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

impl Completion {
    pub(super) fn new(head: Head, object: bool, answered: Answered) -> Self {
        let (text, ending) = Ending::of(answered);
        let finish_reason = finish_reason(&ending);
        let nothing_said = text.is_empty() && !ending.calls.is_empty();
        let text = if object { as_object(&text) } else { text };
        Self {
            id: head.id,
            object: "chat.completion",
            created: head.created,
            model: head.model,
            choices: vec![Choice {
                index: 0,
                message: AnswerMessage {
                    role: "assistant",
                    content: (!nothing_said).then_some(text),
                    tool_calls: ending.calls.into_iter().map(Call::from).collect(),
                },
                finish_reason,
            }],
            usage: ending.usage.into(),
            quipu: ending.extras,
        }
    }
}
