use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::conversations::{self, CreateConversation};
use quipu_core::conversation::Conversation;

/// Begin a conversation with a lead.
#[utoipa::path(
    post,
    path = "/api/v1/conversations",
    tag = "customers",
    operation_id = "create_conversation",
    request_body = CreateConversation,
    security(("bearer" = [])),
    responses((status = 201, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateConversation>,
) -> Result<(StatusCode, Json<Conversation>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(conversations::create(&state.app, &actor, input).await?),
    ))
}
