use crate::http::extract::{Caller, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::plans;
use quipu_core::plan::Plan;

/// All plans with their limits.
#[utoipa::path(
    get,
    path = "/api/v1/plans",
    tag = "platform",
    operation_id = "list_plans",
    security(("bearer" = [])),
    responses((status = 200, body = Vec<Plan>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
) -> Result<Json<Vec<Plan>>, ApiError> {
    Ok(Json(plans::list(&state.app, &principal).await?))
}
