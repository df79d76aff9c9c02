use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::channels::{self, ConnectChannel, ConnectedChannel};

/// Connect an account at a channel.
///
/// Its key is sealed, and shown to nobody again. The answer says where the channel is to deliver to.
#[utoipa::path(
    post,
    path = "/api/v1/channels",
    tag = "channels",
    operation_id = "connect_channel",
    request_body = ConnectChannel,
    security(("bearer" = [])),
    responses((status = 201, body = ConnectedChannel))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<ConnectChannel>,
) -> Result<(StatusCode, Json<ConnectedChannel>), ApiError> {
    let connected = channels::connect(&state.app, &actor, input).await?;
    Ok((StatusCode::CREATED, Json(connected)))
}
