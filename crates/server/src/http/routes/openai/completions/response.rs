//! A whole answer as OpenAI's clients read it.

use quipu_app::chat::Answered;
use quipu_core::chat::{ToolCall, Usage};
use quipu_core::conversation::HandoffMode;
use quipu_core::retrieval::Citation;
use quipu_core::turn::DegradedReason;
use quipu_core::{ConversationId, Timestamp, TurnId};
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
pub(super) struct Completion {
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
struct Choice {
    index: u32,
    message: AnswerMessage,
    finish_reason: &'static str,
}

#[derive(Serialize, ToSchema)]
struct AnswerMessage {
    #[schema(example = "assistant")]
    role: &'static str,
    content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
}

/// A call of a tool that the client is to make.
#[derive(Serialize, ToSchema)]
pub(super) struct Call {
    pub(super) id: String,
    #[serde(rename = "type")]
    #[schema(example = "function")]
    kind: &'static str,
    function: Called,
}

#[derive(Serialize, ToSchema)]
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

/// What Quipu knows of an answer beyond what OpenAI's protocol has a place for.
#[derive(Serialize, ToSchema)]
pub(super) struct Extras {
    /// What opinions on the answer are given on.
    turn_id: TurnId,
    /// Where it is kept, when it is known who asks.
    conversation_id: Option<ConversationId>,
    /// Who answers in the conversation from now on. While a person does, the agent says nothing.
    handoff: HandoffMode,
    /// Whether the answer rests on something that was looked up.
    grounded: bool,
    /// Whether something failed on the way, so that the answer may lack what the agent knows.
    degraded: bool,
    /// Why, where it did. The trace of the turn says more.
    degraded_reason: Option<DegradedReason>,
    /// Where each `[n]` in the text comes from.
    citations: Vec<Citation>,
}

/// The end of an answer: everything but its text.
pub(super) struct Ending {
    pub(super) calls: Vec<Call>,
    pub(super) usage: Took,
    pub(super) extras: Extras,
}

impl Ending {
    /// The text of an answer, and the rest.
    pub(super) fn of(answered: Answered) -> (String, Self) {
        let Answered {
            turn_id,
            conversation_id,
            handoff,
            answer,
            ..
        } = answered;
        let reason = answer
            .as_ref()
            .and_then(|answer| answer.trace.degraded_reason);
        let (text, calls, usage, grounded, degraded, citations) = match answer {
            Some(answer) => (
                answer.text,
                answer.client_calls,
                answer.trace.usage,
                answer.grounded,
                answer.degraded,
                answer.citations,
            ),
            None => (
                String::new(),
                Vec::new(),
                Usage::default(),
                false,
                false,
                Vec::new(),
            ),
        };
        let ending = Self {
            calls: calls.into_iter().map(Call::from).collect(),
            usage: usage.into(),
            extras: Extras {
                turn_id,
                conversation_id,
                handoff,
                grounded,
                degraded,
                degraded_reason: reason,
                citations,
            },
        };
        (text, ending)
    }

    pub(super) fn finish_reason(&self) -> &'static str {
        if self.calls.is_empty() {
            "stop"
        } else {
            "tool_calls"
        }
    }
}

impl Completion {
    pub(super) fn new(head: Head, answered: Answered) -> Self {
        let (text, ending) = Ending::of(answered);
        let finish_reason = ending.finish_reason();
        let nothing_said = text.is_empty() && !ending.calls.is_empty();
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
                    tool_calls: ending.calls,
                },
                finish_reason,
            }],
            usage: ending.usage,
            quipu: ending.extras,
        }
    }
}
