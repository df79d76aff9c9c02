//! Talking to an agent as if it were a model of OpenAI's.

mod chunks;
pub(super) mod request;
mod response;

pub(in crate::http::routes) use chunks::Chunk;
pub(in crate::http::routes) use response::Completion;

use super::super::chat::answering::{self, Answering, Spoken};
use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chunks::Wishes;
use quipu_app::channels::voice::CallTurn;
use request::CompletionRequest;
use response::Head;

/// Ask an agent, as OpenAI's clients ask a model.
///
/// `model` is the agent. It keeps its own instructions, temperature and length: what a client says
/// of those is passed over, and so are fields that are not named here. `system` messages are heeded
/// for this turn, up to 2,000 characters, and the last hundred messages are read; `quipu.trimmed` says
/// what was more than that. The agent uses its own tools by itself; `tools` are those of the client,
/// whose calls come back as `tool_calls`.
///
/// With `user`, or the number of the caller in a call of Vapi, the agent knows the customer from one
/// message to the next and can book and order for them.
#[utoipa::path(
    post,
    path = "/v1/chat/completions",
    tag = "openai",
    operation_id = "create_chat_completion",
    request_body = CompletionRequest,
    security(("bearer" = [])),
    responses((status = 200, description = "The answer", content(
        (Completion = "application/json"), (Chunk = "text/event-stream"),
    )))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(request): Json<CompletionRequest>,
) -> Result<Response, ApiError> {
    let stream = request.stream.unwrap_or_default();
    let wishes = Wishes {
        usage: request.wants_usage(),
        object: request.wants_object(),
    };
    let (agent, ask) = request.into_ask()?;
    let head = Head::new(state.app.now(), &agent);
    if !stream {
        let answered = answering::whole(&state, &actor, &agent, ask).await?;
        return Ok(Json(Completion::new(head, wishes.object, answered)).into_response());
    }
    let answering = Answering::begin(&state, &actor, &agent, ask);
    streamed(head, wishes, answering).await
}

async fn streamed(
    head: Head,
    wishes: Wishes,
    mut answering: Answering,
) -> Result<Response, ApiError> {
    // What is wrong with the question is told with a status of its own, before the stream begins.
    let first = answering.next().await;
    if let Some(Spoken::Failed(error)) = first {
        return Err(error.into());
    }
    Ok(chunks::stream(head, wishes, first, answering))
}

/// The next words of a call, as Vapi reads them.
pub(in crate::http::routes) async fn of_call(
    state: &AppState,
    turn: CallTurn,
) -> Result<Response, ApiError> {
    let head = Head::new(state.app.now(), &turn.model());
    let stream = turn.wants_stream();
    let answering = Answering::in_call(state, turn);
    if !stream {
        let answered = answering.whole().await?;
        return Ok(Json(Completion::new(head, false, answered)).into_response());
    }
    let wishes = Wishes {
        usage: false,
        object: false,
    };
    streamed(head, wishes, answering).await
}
