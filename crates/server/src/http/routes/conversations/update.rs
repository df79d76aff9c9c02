use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations::{self, UpdateConversation};
use quipu_core::ConversationId;
use quipu_core::conversation::Conversation;

/// Close a conversation, or open it again.
#[utoipa::path(
    patch,
    path = "/api/v1/conversations/{conversation_id}",
    tag = "customers",
    operation_id = "update_conversation",
    params(("conversation_id" = ConversationId, Path)),
    request_body = UpdateConversation,
    security(("bearer" = [])),
    responses((status = 200, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Json(input): Json<UpdateConversation>,
) -> Result<Json<Conversation>, ApiError> {
    let changed = conversations::update(&state.app, &actor, id, input).await?;
    Ok(Json(changed))
}
