//! Talking to an agent as OpenAI's newer clients talk to a model: by items, and typed events.

mod events;
mod items;
mod object;
mod request;

use super::super::chat::answering::{self, Answering, Spoken};
use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use events::ResponseEvent;
use object::{ResponseHead, ResponseObject};
use quipu_core::Error;
use request::ResponseRequest;

/// Ask an agent, as OpenAI's newer clients ask a model.
///
/// `model` is the agent, `input` a question or the items of a conversation. As in
/// `/v1/chat/completions`, the agent keeps its own instructions; `instructions` are heeded for this turn,
/// up to 2,000 characters, and of a long conversation the last hundred messages are read. The agent uses
/// its own tools by itself; `tools` are those of the client, whose calls come back as items
/// `function_call`, and what came of them is sent as `function_call_output`.
///
/// Responses are not kept under their id: a client sends the conversation with each request, or says with
/// `user` whose it is, so that the agent remembers it.
#[utoipa::path(
    post,
    path = "/v1/responses",
    tag = "openai",
    operation_id = "create_response",
    request_body = ResponseRequest,
    security(("bearer" = [])),
    responses((status = 200, description = "The answer", content(
        (ResponseObject = "application/json"), (ResponseEvent = "text/event-stream"),
    )))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(request): Json<ResponseRequest>,
) -> Result<Response, ApiError> {
    let stream = request.stream.unwrap_or_default();
    let object = request.wants_object();
    let (agent, instructions, ask) = request.into_ask()?;
    let head = ResponseHead::new(state.app.now(), &agent, instructions, &ask);
    if !stream {
        let answered = answering::whole(&state, &actor, &agent, ask).await;
        let answered = answered.map_err(as_input)?;
        return Ok(Json(ResponseObject::answered(head, object, answered)).into_response());
    }
    let mut answering = Answering::begin(&state, &actor, &agent, ask);
    // What is wrong with the question is told with a status of its own, before the stream begins.
    let first = answering.next().await;
    if let Some(Spoken::Failed(error)) = first {
        return Err(as_input(error).into());
    }
    Ok(events::stream(head, object, first, answering))
}

/// What is wrong with the messages of a question is wrong with what is called input here.
fn as_input(error: Error) -> Error {
    error.with_fields_renamed(&[("messages", "input")])
}
