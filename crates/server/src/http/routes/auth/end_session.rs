use crate::http::extract::{Caller, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::auth;
use quipu_core::SessionId;

/// End one of the own sessions.
#[utoipa::path(
    delete,
    path = "/api/v1/auth/sessions/{session_id}",
    tag = "auth",
    operation_id = "end_session",
    params(("session_id" = SessionId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<SessionId>,
) -> Result<StatusCode, ApiError> {
    auth::end_session(&state.app, &principal, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
