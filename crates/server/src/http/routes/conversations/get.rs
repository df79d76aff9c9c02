use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::conversation::Conversation;

/// One conversation, and who answers in it.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}",
    tag = "customers",
    operation_id = "get_conversation",
    params(("conversation_id" = ConversationId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
) -> Result<Json<Conversation>, ApiError> {
    Ok(Json(conversations::get(&state.app, &actor, id).await?))
}
