use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::usage::{self, UsageReport};

/// Limits, credits and counters of this month.
#[utoipa::path(
    get,
    path = "/api/v1/usage",
    tag = "usage",
    operation_id = "get_usage",
    security(("bearer" = [])),
    responses((status = 200, body = UsageReport))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<UsageReport>, ApiError> {
    Ok(Json(usage::report(&state.app, &actor).await?))
}
