use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, ChannelMonth};
use quipu_core::ConnectionId;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct MonthParams {
    /// Such as `2026-11`.
    #[param(min_length = 7, max_length = 7, example = "2026-11")]
    month: String,
}

/// What a month cost at the channel, as far as its rates are known.
#[utoipa::path(
    get,
    path = "/api/v1/channels/{connection_id}/cost",
    tag = "channels",
    operation_id = "get_channel_cost",
    params(("connection_id" = ConnectionId, Path), MonthParams),
    security(("bearer" = [])),
    responses((status = 200, body = ChannelMonth))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConnectionId>,
    Query(params): Query<MonthParams>,
) -> Result<Json<ChannelMonth>, ApiError> {
    let month = channels::month(&state.app, &actor, id, &params.month).await?;
    Ok(Json(month))
}
