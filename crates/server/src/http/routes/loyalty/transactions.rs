use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty;
use quipu_commerce::loyalty::LedgerEntry;
use quipu_core::LeadId;
use quipu_core::page::Page;

/// The ledger of a lead's tokens, latest first.
#[utoipa::path(
    get,
    path = "/api/v1/leads/{lead_id}/loyalty/transactions",
    tag = "loyalty",
    operation_id = "list_loyalty_transactions",
    params(("lead_id" = LeadId, Path, description = "The lead's id"), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<LedgerEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(lead): Path<LeadId>,
    Paging(page): Paging,
) -> Result<Json<Page<LedgerEntry>>, ApiError> {
    Ok(Json(
        loyalty::transactions(&state.app, &actor, lead, page).await?,
    ))
}
