use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::auth::ResetToken;
use quipu_app::members;
use quipu_core::UserId;

/// Issue a one-time token with which a person sets a new password.
#[utoipa::path(
    post,
    path = "/api/v1/members/{user_id}/reset-token",
    tag = "members",
    operation_id = "issue_member_reset_token",
    params(("user_id" = UserId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ResetToken))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(user): Path<UserId>,
) -> Result<Json<ResetToken>, ApiError> {
    Ok(Json(members::reset_token(&state.app, &actor, user).await?))
}
