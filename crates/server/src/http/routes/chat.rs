//! Talking to an agent.

use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_app::chat::{self, ChatMessage};
use quipu_core::AgentId;
use quipu_core::language::Language;
use quipu_core::retrieval::Citation;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handler))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChatRequest {
    /// The tenant's id or slug; when given, it must be the one the credential is for.
    #[serde(default)]
    #[schema(max_length = 100)]
    project_id: Option<String>,
    /// The conversation so far, oldest first; the last message is the question.
    #[schema(min_items = 1, max_items = 100)]
    messages: Vec<ChatMessage>,
    /// Server-sent events when true, one JSON answer when false.
    #[serde(default = "yes")]
    #[schema(default = true)]
    stream: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, ToSchema)]
struct ChatAnswer {
    agent_id: AgentId,
    message: AnswerMessage,
    /// Where each `[n]` in the text comes from.
    citations: Vec<Citation>,
    /// Whether the answer rests on the agent's knowledge.
    grounded: bool,
    /// Whether something failed on the way, so that the answer may lack what the agent knows.
    degraded: bool,
    language: Language,
    /// What made the answer.
    model: String,
}

#[derive(Serialize, ToSchema)]
struct AnswerMessage {
    #[schema(example = "assistant")]
    role: &'static str,
    content: String,
}

/// One server-sent event of an answer. For the documentation: the events are written as they go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described and never made")]
struct ChatEvent {
    event: ChatEventName,
    /// JSON: `{"text"}` in a `delta`, the whole answer in `done`.
    data: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it is described and never made")]
enum ChatEventName {
    Delta,
    Done,
}

/// Ask an agent.
///
/// Streams `delta` events (`{"text"}`), sentence by sentence, then one `done` event with the whole
/// answer; with `stream: false` that answer is the body.
#[utoipa::path(
    post,
    path = "/api/agents/{agent}/chat",
    tag = "chat",
    operation_id = "chat",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = ChatRequest,
    security(("bearer" = [])),
    responses((status = 200, description = "The answer", content(
        (ChatAnswer = "application/json"), (ChatEvent = "text/event-stream"),
    )))
)]
async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(input): Json<ChatRequest>,
) -> Result<Response, ApiError> {
    let project = input.project_id.as_deref();
    let (agent, answer) =
        chat::answer(&state.app, &actor, &agent, project, &input.messages).await?;
    let parts = answer.parts;
    let whole = ChatAnswer {
        agent_id: agent.id,
        message: AnswerMessage {
            role: "assistant",
            content: answer.text,
        },
        citations: answer.citations,
        grounded: answer.grounded,
        degraded: answer.degraded,
        language: answer.language,
        model: answer.responder,
    };
    if !input.stream {
        return Ok(Json(whole).into_response());
    }
    let mut events: Vec<Event> = Vec::with_capacity(parts.len() + 1);
    for text in parts {
        events.push(event("delta", &serde_json::json!({ "text": text }))?);
    }
    events.push(event("done", &whole)?);
    let events = stream::iter(events.into_iter().map(Ok::<_, Infallible>));
    Ok(Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response())
}

fn event(name: &str, data: &impl Serialize) -> Result<Event, quipu_core::Error> {
    Event::default()
        .event(name)
        .json_data(data)
        .map_err(quipu_core::Error::internal)
}
