use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, ChannelReport};
use quipu_core::ConnectionId;

/// Ask the channel about the account: whether the key works and whether it delivers here.
#[utoipa::path(
    post,
    path = "/api/v1/channels/{connection_id}/check",
    tag = "channels",
    operation_id = "check_channel",
    params(("connection_id" = ConnectionId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ChannelReport))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
) -> Result<Json<ChannelReport>, ApiError> {
    Ok(Json(channels::check(&state.app, &actor, id).await?))
}
