use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::channels::{self, SendTemplate};
use quipu_core::ConversationId;
use quipu_core::conversation::Message;

/// Send an approved template, which reaches the customer also when they wrote long ago.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{conversation_id}/template",
    tag = "channels",
    operation_id = "send_template",
    params(("conversation_id" = ConversationId, Path)),
    request_body = SendTemplate,
    security(("bearer" = [])),
    responses((status = 201, body = Message))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Json(input): Json<SendTemplate>,
) -> Result<(StatusCode, Json<Message>), ApiError> {
    let sent = channels::send_template(&state.app, &actor, id, input).await?;
    Ok((StatusCode::CREATED, Json(sent)))
}
