use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::loyalty;
use quipu_commerce::loyalty::Redemption;
use quipu_core::RedemptionId;

/// Take a reward back that was not used, and return its tokens.
#[utoipa::path(
    post,
    path = "/api/v1/redemptions/{redemption_id}/cancel",
    tag = "loyalty",
    operation_id = "cancel_redemption",
    params(("redemption_id" = RedemptionId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Redemption))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<RedemptionId>,
) -> Result<Json<Redemption>, ApiError> {
    Ok(Json(loyalty::cancel(&state.app, &actor, id).await?))
}
