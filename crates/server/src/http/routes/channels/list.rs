use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels;
use quipu_core::channel::ChannelConnection;
use quipu_core::page::Page;

/// The connected accounts, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/channels",
    tag = "channels",
    operation_id = "list_channels",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<ChannelConnection>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<ChannelConnection>>, ApiError> {
    Ok(Json(channels::list(&state.app, &actor, page).await?))
}
