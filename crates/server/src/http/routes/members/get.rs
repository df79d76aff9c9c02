use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::members;
use quipu_core::UserId;
use quipu_core::access::Member;

/// One person of the tenant.
#[utoipa::path(
    get,
    path = "/api/v1/members/{user_id}",
    tag = "members",
    operation_id = "get_member",
    params(("user_id" = UserId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Member))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(user): Path<UserId>,
) -> Result<Json<Member>, ApiError> {
    Ok(Json(members::get(&state.app, &actor, user).await?))
}
