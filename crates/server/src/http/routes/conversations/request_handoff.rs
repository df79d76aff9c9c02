use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations::{self, RequestHandoff};
use quipu_core::ConversationId;
use quipu_core::conversation::Conversation;

/// Ask for a person to answer. Asking again changes nothing.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/handoff/request",
    tag = "customers",
    operation_id = "request_handoff",
    params(("conversation_id" = ConversationId, Path)),
    request_body = RequestHandoff,
    security(("bearer" = [])),
    responses((status = 200, body = Conversation))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Json(input): Json<RequestHandoff>,
) -> Result<Json<Conversation>, ApiError> {
    let changed = conversations::request(&state.app, &actor, id, input).await?;
    Ok(Json(changed))
}
