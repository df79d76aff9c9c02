use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, WebhookAddress};
use quipu_core::ConnectionId;

/// Where the channel is to deliver to, with the word that verifies the address.
#[utoipa::path(
    get,
    path = "/api/v1/channels/{connection_id}/webhook",
    tag = "channels",
    operation_id = "get_channel_webhook",
    params(("connection_id" = ConnectionId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = WebhookAddress))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
) -> Result<Json<WebhookAddress>, ApiError> {
    Ok(Json(
        channels::webhook_address(&state.app, &actor, id).await?,
    ))
}
