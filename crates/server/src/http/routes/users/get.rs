use crate::http::extract::{Caller, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::users;
use quipu_core::UserId;
use quipu_core::access::User;

/// One account. For `super_admin`.
#[utoipa::path(
    get,
    path = "/api/v1/users/{user_id}",
    tag = "platform",
    operation_id = "get_user",
    params(("user_id" = UserId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = User))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<UserId>,
) -> Result<Json<User>, ApiError> {
    Ok(Json(users::get(&state.app, &principal, id).await?))
}
