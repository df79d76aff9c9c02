use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::loyalty::{self, RedeemReward};
use quipu_commerce::loyalty::Redemption;
use quipu_core::LeadId;

/// Exchange a lead's tokens for a reward. The answer has its code.
#[utoipa::path(
    post,
    path = "/api/v1/leads/{lead_id}/loyalty/redemptions",
    tag = "loyalty",
    operation_id = "redeem_reward",
    params(("lead_id" = LeadId, Path, description = "The lead's id")),
    request_body = RedeemReward,
    security(("bearer" = [])),
    responses((status = 201, body = Redemption))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(lead): Path<LeadId>,
    Json(input): Json<RedeemReward>,
) -> Result<(StatusCode, Json<Redemption>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(loyalty::redeem(&state.app, &actor, lead, input).await?),
    ))
}
