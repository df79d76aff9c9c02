use crate::http::extract::InTenant;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::appointments;

/// Make all links to calendars useless that were given out.
#[utoipa::path(
    post,
    path = "/api/v1/calendars/revoke",
    tag = "appointments",
    operation_id = "revoke_calendars",
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<StatusCode, ApiError> {
    appointments::revoke(&state.app, &actor).await?;
    Ok(StatusCode::NO_CONTENT)
}
