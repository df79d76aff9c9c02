use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::loyalty::{self, Adjustment};
use quipu_commerce::loyalty::LedgerEntry;
use quipu_core::LeadId;

/// Put a lead's balance right, up or down.
#[utoipa::path(
    post,
    path = "/api/v1/leads/{lead_id}/loyalty/adjustments",
    tag = "loyalty",
    operation_id = "adjust_tokens",
    params(("lead_id" = LeadId, Path, description = "The lead's id")),
    request_body = Adjustment,
    security(("bearer" = [])),
    responses((status = 201, body = LedgerEntry))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(lead): Path<LeadId>,
    Json(input): Json<Adjustment>,
) -> Result<(StatusCode, Json<LedgerEntry>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(loyalty::adjust(&state.app, &actor, lead, input).await?),
    ))
}
