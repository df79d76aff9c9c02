use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::history::HistoryEntry;

/// What happened to a conversation, and who did it; oldest first.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}/history",
    tag = "customers",
    operation_id = "get_conversation_history",
    params(("conversation_id" = ConversationId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Vec<HistoryEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
) -> Result<Json<Vec<HistoryEntry>>, ApiError> {
    Ok(Json(conversations::history(&state.app, &actor, id).await?))
}
