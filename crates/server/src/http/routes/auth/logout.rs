use crate::http::extract::Caller;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, StatusCode};
use axum::response::AppendHeaders;
use quipu_app::auth;

/// End the session this request came with.
#[utoipa::path(
    post,
    path = "/api/v1/auth/logout",
    tag = "auth",
    operation_id = "logout",
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
) -> Result<(StatusCode, AppendHeaders<[(HeaderName, String); 1]>), ApiError> {
    auth::sign_out(&state.app, &principal).await?;
    let forget = state.http.session_cookie.written("", 0);
    Ok((
        StatusCode::NO_CONTENT,
        AppendHeaders([(SET_COOKIE, forget)]),
    ))
}
