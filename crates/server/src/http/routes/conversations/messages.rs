use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::conversation::{Message, MessageRole};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagesParams {
    /// Only messages of this role.
    #[param(inline)]
    role: Option<MessageRole>,
    /// Whether the notes of the business are among them, which the customer never sees.
    #[param(default = false)]
    include_notes: Option<bool>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What was said in a conversation, newest first.
///
/// Notes are left out unless they are asked for.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}/messages",
    tag = "customers",
    operation_id = "list_messages",
    params(("conversation_id" = ConversationId, Path), MessagesParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Message>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Query(params): Query<MessagesParams>,
) -> Result<Json<Page<Message>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let with_notes = params.include_notes.unwrap_or(false);
    let found =
        conversations::list_messages(&state.app, &actor, id, params.role, with_notes, page).await?;
    Ok(Json(found))
}
