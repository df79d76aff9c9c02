use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, ChannelTemplateInfo};
use quipu_core::ConnectionId;

/// The templates of the account as its channel has them.
#[utoipa::path(
    get,
    path = "/api/v1/channels/{connection_id}/templates",
    tag = "channels",
    operation_id = "list_channel_templates",
    params(("connection_id" = ConnectionId, Path)),
    security(("bearer" = [])),
    responses(
        (status = 200, body = Vec<ChannelTemplateInfo>),
        (status = 502, description = "The channel did not answer", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
) -> Result<Json<Vec<ChannelTemplateInfo>>, ApiError> {
    Ok(Json(channels::templates(&state.app, &actor, id).await?))
}
