use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::conversation::Conversation;

/// Take over from the agent, or from another person.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/handoff/take",
    tag = "customers",
    operation_id = "take_handoff",
    params(("conversation_id" = ConversationId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
) -> Result<Json<Conversation>, ApiError> {
    Ok(Json(conversations::take(&state.app, &actor, id).await?))
}
