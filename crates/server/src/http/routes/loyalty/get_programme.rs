use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty;
use quipu_commerce::business::LoyaltyProgramme;

/// How customers collect tokens.
#[utoipa::path(
    get,
    path = "/api/v1/loyalty/programme",
    tag = "loyalty",
    operation_id = "get_loyalty_programme",
    security(("bearer" = [])),
    responses((status = 200, body = LoyaltyProgramme))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<LoyaltyProgramme>, ApiError> {
    Ok(Json(loyalty::programme(&state.app, &actor).await?))
}
