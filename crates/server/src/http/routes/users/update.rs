use crate::http::extract::{Caller, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::users;
use quipu_core::UserId;
use quipu_core::access::{User, UserStatus};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateUser {
    status: UserStatus,
}

/// Suspend an account everywhere at once, or let it work again. For `super_admin`.
#[utoipa::path(
    patch,
    path = "/api/v1/users/{user_id}",
    tag = "platform",
    operation_id = "update_user",
    params(("user_id" = UserId, Path)),
    request_body = UpdateUser,
    security(("bearer" = [])),
    responses((status = 200, body = User))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<UserId>,
    Json(input): Json<UpdateUser>,
) -> Result<Json<User>, ApiError> {
    Ok(Json(
        users::set_status(&state.app, &principal, id, input.status).await?,
    ))
}
