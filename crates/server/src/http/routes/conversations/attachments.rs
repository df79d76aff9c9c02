use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::ConversationId;
use quipu_core::conversation::Attachment;
use quipu_core::page::Page;

/// The files that came with a conversation, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}/attachments",
    tag = "customers",
    operation_id = "list_attachments",
    params(("conversation_id" = ConversationId, Path), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Attachment>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ConversationId>,
    Paging(page): Paging,
) -> Result<Json<Page<Attachment>>, ApiError> {
    let found = conversations::list_attachments(&state.app, &actor, id, page).await?;
    Ok(Json(found))
}
