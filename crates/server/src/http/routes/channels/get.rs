use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels;
use quipu_core::ConnectionId;
use quipu_core::channel::ChannelConnection;

/// A connected account.
#[utoipa::path(
    get,
    path = "/api/v1/channels/{connection_id}",
    tag = "channels",
    operation_id = "get_channel",
    params(("connection_id" = ConnectionId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ChannelConnection))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
) -> Result<Json<ChannelConnection>, ApiError> {
    Ok(Json(channels::get(&state.app, &actor, id).await?))
}
