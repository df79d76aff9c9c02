use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, ConversationChannel};
use quipu_core::ConversationId;

/// How a conversation reaches its customer: through which account, until when words of one's own choice
/// arrive, and what it has cost.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}/channel",
    tag = "channels",
    operation_id = "get_conversation_channel",
    params(("conversation_id" = ConversationId, Path)),
    security(("bearer" = [])),
    responses(
        (status = 200, body = ConversationChannel),
        (status = 409, description = "The conversation is held through no connected channel", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
) -> Result<Json<ConversationChannel>, ApiError> {
    let channel = channels::conversation_channel(&state.app, &actor, id).await?;
    Ok(Json(channel))
}
