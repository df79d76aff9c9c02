use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty;
use quipu_commerce::business::LoyaltyProgramme;

/// Make the loyalty programme, or change it for what is earned from now on.
#[utoipa::path(
    put,
    path = "/api/v1/loyalty/programme",
    tag = "loyalty",
    operation_id = "put_loyalty_programme",
    request_body = LoyaltyProgramme,
    security(("bearer" = [])),
    responses((status = 200, body = LoyaltyProgramme))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<LoyaltyProgramme>,
) -> Result<Json<LoyaltyProgramme>, ApiError> {
    Ok(Json(
        loyalty::put_programme(&state.app, &actor, input).await?,
    ))
}
