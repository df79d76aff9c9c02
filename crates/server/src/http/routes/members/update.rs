use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::members::{self, UpdateMember};
use quipu_core::UserId;
use quipu_core::access::Member;

/// Change a person's role, or suspend them in this tenant.
#[utoipa::path(
    patch,
    path = "/api/v1/members/{user_id}",
    tag = "members",
    operation_id = "update_member",
    params(("user_id" = UserId, Path)),
    request_body = UpdateMember,
    security(("bearer" = [])),
    responses((status = 200, body = Member))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(user): Path<UserId>,
    Json(input): Json<UpdateMember>,
) -> Result<Json<Member>, ApiError> {
    Ok(Json(
        members::update(&state.app, &actor, user, input).await?,
    ))
}
