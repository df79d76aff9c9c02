use crate::http::extract::{Caller, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::auth::ResetToken;
use quipu_app::users;
use quipu_core::UserId;

/// Issue a one-time token to set a password. For `super_admin`.
#[utoipa::path(
    post,
    path = "/api/v1/users/{user_id}/reset-token",
    tag = "platform",
    operation_id = "issue_user_reset_token",
    params(("user_id" = UserId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ResetToken))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<UserId>,
) -> Result<Json<ResetToken>, ApiError> {
    Ok(Json(users::reset_token(&state.app, &principal, id).await?))
}
