//! An answer as server-sent events of our own, or as one JSON object.

use super::answering::{Answering, Spoken};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_app::chat::{Answered, Trimmed};
use quipu_core::conversation::HandoffMode;
use quipu_core::language::Language;
use quipu_core::lead::Temperature;
use quipu_core::retrieval::Citation;
use quipu_core::turn::DegradedReason;
use quipu_core::{AgentId, ConversationId, TurnId};
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct ChatAnswer {
    agent_id: AgentId,
    /// What opinions on the answer are given on.
    turn_id: TurnId,
    /// Where it is kept, when it is known who asks.
    conversation_id: Option<ConversationId>,
    message: AnswerMessage,
    /// Where each `[n]` in the text comes from.
    citations: Vec<Citation>,
    /// Whether the answer rests on something that was looked up.
    grounded: bool,
    /// Whether something failed on the way, so that the answer may lack what the agent knows.
    degraded: bool,
    /// Why, where it did. The trace of the turn says more.
    degraded_reason: Option<DegradedReason>,
    language: Language,
    /// What made the answer.
    model: String,
    /// What the customer wants.
    #[schema(example = "pricing")]
    intent: Option<String>,
    /// The part of the agent that answered.
    #[schema(example = "pricing")]
    specialist: Option<String>,
    /// Who answers in the conversation from now on. While a person does, the agent says nothing.
    handoff: HandoffMode,
    temperature: Option<Temperature>,
    /// What of the question was more than is read.
    trimmed: Vec<Trimmed>,
}

#[derive(Serialize, ToSchema)]
struct AnswerMessage {
    #[schema(example = "assistant")]
    role: &'static str,
    content: String,
}

impl From<Answered> for ChatAnswer {
    fn from(answered: Answered) -> Self {
        let Answered {
            agent,
            turn_id,
            conversation_id,
            handoff,
            answer,
            trimmed,
        } = answered;
        let message = |content| AnswerMessage {
            role: "assistant",
            content,
        };
        match answer {
            Some(answer) => Self {
                agent_id: agent.id,
                turn_id,
                conversation_id,
                message: message(answer.text),
                citations: answer.citations,
                grounded: answer.grounded,
                degraded: answer.degraded,
                degraded_reason: answer.trace.degraded_reason,
                language: answer.language,
                model: answer.responder,
                intent: Some(answer.intent.as_str().to_owned()),
                specialist: Some(answer.specialist.as_str().to_owned()),
                handoff,
                temperature: answer.temperature,
                trimmed,
            },
            None => Self {
                agent_id: agent.id,
                turn_id,
                conversation_id,
                message: message(String::new()),
                citations: Vec::new(),
                grounded: false,
                degraded: false,
                degraded_reason: None,
                language: agent.language,
                model: "human".to_owned(),
                intent: None,
                specialist: None,
                handoff,
                temperature: None,
                trimmed,
            },
        }
    }
}

/// One server-sent event of an answer. For the documentation: the events are written as they go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described and never made")]
pub(super) struct ChatEvent {
    event: ChatEventName,
    /// JSON: `{"text"}` in a `delta`, `{"name"}` in a `tool`, the whole answer in `done`, the error
    /// in an `error`.
    data: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it is described and never made")]
enum ChatEventName {
    Delta,
    Tool,
    Done,
    Error,
}

/// Streams what is spoken.
pub(super) fn stream(first: Option<Spoken>, answering: Answering) -> Response {
    let events = stream::unfold((first, answering), |(first, mut answering)| async move {
        let spoken = match first {
            Some(spoken) => spoken,
            None => answering.next().await?,
        };
        Some((Ok::<_, Infallible>(event(spoken)), (None, answering)))
    });
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn event(spoken: Spoken) -> Event {
    let (name, data) = match spoken {
        Spoken::Text(text) => ("delta", json!({ "text": text })),
        Spoken::Tool(name) => ("tool", json!({ "name": name })),
        Spoken::Done(answered) => ("done", json!(ChatAnswer::from(*answered))),
        Spoken::Failed(error) => (
            "error",
            json!({ "code": error.code().as_str(), "message": error.message(Language::Es) }),
        ),
    };
    Event::default().event(name).data(data.to_string())
}
