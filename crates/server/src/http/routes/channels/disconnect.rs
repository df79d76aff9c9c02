use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::channels;
use quipu_core::ConnectionId;

/// Take a connected account away. Its conversations stay; nothing is sent through it any more.
#[utoipa::path(
    delete,
    path = "/api/v1/channels/{connection_id}",
    tag = "channels",
    operation_id = "disconnect_channel",
    params(("connection_id" = ConnectionId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
) -> Result<StatusCode, ApiError> {
    channels::disconnect(&state.app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
