use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::usage;
use quipu_core::page::Page;
use quipu_core::plan::CreditEntry;

/// The credits ledger, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/usage/credits",
    tag = "usage",
    operation_id = "list_credits",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<CreditEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<CreditEntry>>, ApiError> {
    Ok(Json(usage::credits(&state.app, &actor, page).await?))
}
