//! What is known of an answer when it is complete, however it is written.

use quipu_app::chat::{Answered, Trimmed};
use quipu_core::chat::{ToolCall, Usage};
use quipu_core::conversation::HandoffMode;
use quipu_core::retrieval::Citation;
use quipu_core::turn::DegradedReason;
use quipu_core::{ConversationId, TurnId};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

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
    /// What of the question was more than is read.
    trimmed: Vec<Trimmed>,
}

/// The end of an answer: everything but its text.
pub(super) struct Ending {
    /// Calls of tools that the client is to make.
    pub(super) calls: Vec<ToolCall>,
    pub(super) usage: Usage,
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
            trimmed,
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
            calls,
            usage,
            extras: Extras {
                turn_id,
                conversation_id,
                handoff,
                grounded,
                degraded,
                degraded_reason: reason,
                citations,
                trimmed,
            },
        };
        (text, ending)
    }
}

/// An answer for a client that reads nothing but JSON: as it is where it is an object, or as the one
/// field of an object.
pub(super) fn as_object(text: &str) -> String {
    let is_object = serde_json::from_str::<Map<String, Value>>(text).is_ok();
    if is_object {
        text.to_owned()
    } else {
        json!({ "answer": text }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_becomes_one_object() {
        assert_eq!(
            as_object("Cuesta \"poco\"."),
            r#"{"answer":"Cuesta \"poco\"."}"#
        );
        assert_eq!(as_object(r#" {"precio": 120} "#), r#" {"precio": 120} "#);
        assert_eq!(as_object("[1]"), r#"{"answer":"[1]"}"#);
    }
}
