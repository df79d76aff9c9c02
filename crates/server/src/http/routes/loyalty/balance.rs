use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty::{self, LoyaltyBalance};
use quipu_core::LeadId;

/// What a lead has, when it lapses and what it is enough for.
#[utoipa::path(
    get,
    path = "/api/v1/leads/{lead_id}/loyalty",
    tag = "loyalty",
    operation_id = "get_lead_loyalty",
    params(("lead_id" = LeadId, Path, description = "The lead's id")),
    security(("bearer" = [])),
    responses((status = 200, body = LoyaltyBalance))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(lead): Path<LeadId>,
) -> Result<Json<LoyaltyBalance>, ApiError> {
    Ok(Json(loyalty::balance(&state.app, &actor, lead).await?))
}
