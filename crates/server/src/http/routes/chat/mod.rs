//! Talking to an agent.

pub(super) mod answering;
mod events;
mod request;
mod ui;

use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use answering::{Answering, Spoken};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use events::{ChatAnswer, ChatEvent};
use request::{ChatRequest, Protocol};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(handler))
}

/// Ask an agent.
///
/// Streams `delta` events (`{"text"}`), sentence by sentence, each one checked, then one `done` event
/// with the whole answer; with `stream: false` that answer is the body. With
/// `protocol: "ui_message_stream"` the stream is that of the Vercel AI SDK, version 1.
///
/// With `user`, the agent knows the customer by that name from one message to the next: they are a
/// lead of the channel `web`, the conversation is kept, and the agent can book and order for them.
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
    let (protocol, stream) = (input.protocol, input.stream);
    let ask = input.into_ask()?;
    if !stream {
        let answered = answering::whole(&state, &actor, &agent, ask).await?;
        return Ok(Json(ChatAnswer::from(answered)).into_response());
    }
    let mut answering = Answering::begin(&state, &actor, &agent, ask);
    // What is wrong with the question is told with a status of its own, before the stream begins.
    let first = answering.next().await;
    if let Some(Spoken::Failed(error)) = first {
        return Err(error.into());
    }
    Ok(match protocol {
        Protocol::Quipu => events::stream(first, answering),
        Protocol::UiMessageStream => ui::stream(first, answering),
    })
}
