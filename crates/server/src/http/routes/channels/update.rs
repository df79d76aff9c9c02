use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, UpdateChannel};
use quipu_core::ConnectionId;
use quipu_core::channel::ChannelConnection;

/// Change a connected account: its name, its agent, its key, how it behaves.
#[utoipa::path(
    patch,
    path = "/api/v1/channels/{connection_id}",
    tag = "channels",
    operation_id = "update_channel",
    params(("connection_id" = ConnectionId, Path)),
    request_body = UpdateChannel,
    security(("bearer" = [])),
    responses((status = 200, body = ChannelConnection))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
    Json(input): Json<UpdateChannel>,
) -> Result<Json<ChannelConnection>, ApiError> {
    let updated = channels::update(&state.app, &actor, id, input).await?;
    Ok(Json(updated))
}
