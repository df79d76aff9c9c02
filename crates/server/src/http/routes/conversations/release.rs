use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::conversation::Conversation;

/// Have the agent answer again.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/handoff/release",
    tag = "customers",
    operation_id = "release_handoff",
    params(("conversation_id" = ConversationId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
) -> Result<Json<Conversation>, ApiError> {
    Ok(Json(conversations::release(&state.app, &actor, id).await?))
}
