use crate::http::extract::{Caller, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::auth;
use quipu_core::access::Session;

/// The own live sessions, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/auth/sessions",
    tag = "auth",
    operation_id = "list_sessions",
    security(("bearer" = [])),
    responses((status = 200, body = Vec<Session>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
) -> Result<Json<Vec<Session>>, ApiError> {
    Ok(Json(auth::list_sessions(&state.app, &principal).await?))
}
