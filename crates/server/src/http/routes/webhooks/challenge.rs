use crate::http::error::ErrorBody;
use crate::http::extract::{Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels;
use quipu_core::ConnectionId;
use quipu_core::lead::Channel;
use std::collections::BTreeMap;

/// The question by which a channel makes sure that the address is ours.
#[utoipa::path(
    get,
    path = "/api/webhooks/{channel}/{connection_id}",
    tag = "webhooks",
    operation_id = "verify_webhook",
    params(
        ("channel" = Channel, Path),
        ("connection_id" = ConnectionId, Path),
        ("hub.mode" = Option<String>, Query, max_length = 50),
        ("hub.verify_token" = Option<String>, Query, max_length = 500),
        ("hub.challenge" = Option<String>, Query, max_length = 200),
    ),
    security(),
    responses(
        (status = 200, description = "The challenge", body = String, content_type = "text/plain"),
        (status = 401, description = "Another word than ours", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Path((channel, id)): Path<(Channel, ConnectionId)>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<String, ApiError> {
    let query: Vec<(String, String)> = query.into_iter().collect();
    let answer = channels::challenge(&state.app, channel, id, &query).await?;
    Ok(answer)
}
