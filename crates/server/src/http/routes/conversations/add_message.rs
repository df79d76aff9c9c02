use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::conversations::{self, AddMessage};
use quipu_core::ConversationId;
use quipu_core::conversation::Message;

/// Add a message to a conversation.
///
/// A person who writes to the customer takes over from the agent.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/messages",
    tag = "customers",
    operation_id = "add_message",
    params(("conversation_id" = ConversationId, Path)),
    request_body = AddMessage,
    security(("bearer" = [])),
    responses((status = 201, body = Message))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Json(input): Json<AddMessage>,
) -> Result<(StatusCode, Json<Message>), ApiError> {
    let added = conversations::add_message(&state.app, &actor, id, input).await?;
    Ok((StatusCode::CREATED, Json(added)))
}
