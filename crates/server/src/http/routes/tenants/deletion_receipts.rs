use crate::http::extract::{Caller, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::page::Page;
use quipu_core::removal::KeptReceipt;

/// What was removed with tenants that are gone, newest first. For `super_admin`.
#[utoipa::path(
    get,
    path = "/api/v1/deletion-receipts",
    tag = "platform",
    operation_id = "list_deletion_receipts",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<KeptReceipt>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Paging(page): Paging,
) -> Result<Json<Page<KeptReceipt>>, ApiError> {
    Ok(Json(
        tenants::deletion_receipts(&state.app, &principal, page).await?,
    ))
}
