use super::vouched;
use crate::http::error::ErrorBody;
use crate::http::extract::{Json, Path};
use crate::http::{ApiError, AppState};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use quipu_app::channels::{self, voice};
use quipu_core::lead::Channel;
use quipu_core::{ConnectionId, Error, ErrorCode};
use serde_json::json;

/// What a channel delivers. Everything in it is stored before this answers.
///
/// Vapi is answered as it asks: with an assistant, the results of tools, to whom a call goes on, or what the
/// business knows. All other channels are told what came of the delivery: how many messages were `taken`, how
/// many were `known` from before, and how many parts were `refused` because they could not be read.
#[utoipa::path(
    post,
    path = "/api/webhooks/{channel}/{connection_id}",
    tag = "webhooks",
    operation_id = "deliver_webhook",
    params(("channel" = Channel, Path), ("connection_id" = ConnectionId, Path)),
    request_body(content = Object, description = "As the channel writes it, signed by the channel"),
    security(),
    responses(
        (status = 200, description = "What came of it", body = Object),
        (status = 401, description = "Not signed by the channel", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Path((channel, id)): Path<(Channel, ConnectionId)>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let body =
        body.map_err(|_| Error::new(ErrorCode::BodyTooLarge).with("max_bytes", super::MOST_BYTES))?;
    let vouched = vouched(&headers);
    if channel == Channel::Voice {
        let answer = Box::pin(voice::hear(&state.app, id, &vouched, &body)).await?;
        return Ok(Json(answer).into_response());
    }
    let received = channels::receive(&state.app, channel, id, &vouched, body).await?;
    let receipt = json!({
        "taken": received.taken,
        "known": received.known,
        "refused": received.refused,
    });
    Ok(Json(receipt).into_response())
}
