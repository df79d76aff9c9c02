use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::members::{self, InviteMember, InvitedMember};

/// Add a person. A new account comes with a one-time token to set its password.
#[utoipa::path(
    post,
    path = "/api/v1/members",
    tag = "members",
    operation_id = "invite_member",
    request_body = InviteMember,
    security(("bearer" = [])),
    responses((status = 201, body = InvitedMember))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<InviteMember>,
) -> Result<(StatusCode, Json<InvitedMember>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(members::invite(&state.app, &actor, input).await?),
    ))
}
