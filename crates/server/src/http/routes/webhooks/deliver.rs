use crate::http::error::ErrorBody;
use crate::http::extract::{Json, Path};
use crate::http::{ApiError, AppState};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use quipu_app::channels::{self, DeliveryHeaders};
use quipu_core::lead::Channel;
use quipu_core::{ConnectionId, Error, ErrorCode};
use serde::Serialize;
use utoipa::ToSchema;

/// What came of a delivery.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookReceipt)]
pub(super) struct Receipt {
    /// Messages that were not known before, and are stored.
    taken: usize,
    /// Those that had been delivered before.
    known: usize,
    /// Parts that could not be read.
    refused: usize,
}

/// What a channel delivers. Everything in it is stored before this answers.
#[utoipa::path(
    post,
    path = "/api/webhooks/{channel}/{connection_id}",
    tag = "webhooks",
    operation_id = "deliver_webhook",
    params(("channel" = Channel, Path), ("connection_id" = ConnectionId, Path)),
    request_body(content = Object, description = "As the channel writes it, signed by the channel"),
    security(),
    responses(
        (status = 200, body = Receipt),
        (status = 401, description = "Not signed by the channel", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Path((channel, id)): Path<(Channel, ConnectionId)>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Receipt>, ApiError> {
    let body =
        body.map_err(|_| Error::new(ErrorCode::BodyTooLarge).with("max_bytes", super::MOST_BYTES))?;
    let header = |name: &str| {
        let value = headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let vouched = DeliveryHeaders {
        hub_signature: header("x-hub-signature-256"),
        tiktok_signature: header("tiktok-signature"),
    };
    let received = channels::receive(&state.app, channel, id, &vouched, body).await?;
    Ok(Json(Receipt {
        taken: received.taken,
        known: received.known,
        refused: received.refused,
    }))
}
