use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty;
use quipu_commerce::loyalty::Redemption;
use quipu_core::LeadId;
use quipu_core::page::Page;

/// The rewards that a lead exchanged tokens for, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/leads/{lead_id}/loyalty/redemptions",
    tag = "loyalty",
    operation_id = "list_redemptions",
    params(("lead_id" = LeadId, Path, description = "The lead's id"), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Redemption>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(lead): Path<LeadId>,
    Paging(page): Paging,
) -> Result<Json<Page<Redemption>>, ApiError> {
    Ok(Json(
        loyalty::redemptions(&state.app, &actor, lead, page).await?,
    ))
}
