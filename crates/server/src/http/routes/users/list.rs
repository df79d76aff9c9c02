use crate::http::extract::{Caller, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::users;
use quipu_core::access::User;
use quipu_core::page::Page;

/// All accounts, newest first. For `super_admin`.
#[utoipa::path(
    get,
    path = "/api/v1/users",
    tag = "platform",
    operation_id = "list_users",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<User>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Paging(page): Paging,
) -> Result<Json<Page<User>>, ApiError> {
    Ok(Json(users::list(&state.app, &principal, page).await?))
}
