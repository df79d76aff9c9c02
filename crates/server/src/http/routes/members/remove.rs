use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::members;
use quipu_core::UserId;

/// Take a person out of the tenant. The account stays.
#[utoipa::path(
    delete,
    path = "/api/v1/members/{user_id}",
    tag = "members",
    operation_id = "remove_member",
    params(("user_id" = UserId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(user): Path<UserId>,
) -> Result<StatusCode, ApiError> {
    members::remove(&state.app, &actor, user).await?;
    Ok(StatusCode::NO_CONTENT)
}
