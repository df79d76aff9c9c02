use crate::http::extract::{Caller, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::plans;

/// Delete a plan that no tenant has. For `super_admin`.
#[utoipa::path(
    delete,
    path = "/api/v1/plans/{plan_slug}",
    tag = "platform",
    operation_id = "delete_plan",
    params(("plan_slug" = String, Path, min_length = 1, max_length = 50, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(slug): Path<String>,
) -> Result<StatusCode, ApiError> {
    plans::delete(&state.app, &principal, &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}
