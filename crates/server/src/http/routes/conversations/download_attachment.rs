use crate::http::extract::{InTenant, Path};
use crate::http::layers::AsStored;
use crate::http::routes::saved_as;
use crate::http::{ApiError, AppState};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::IntoResponse;
use quipu_app::conversations;
use quipu_core::{AttachmentId, ConversationId};

/// A file that came with a conversation, as it came.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{conversation_id}/attachments/{attachment_id}",
    tag = "customers",
    operation_id = "download_attachment",
    params(("conversation_id" = ConversationId, Path), ("attachment_id" = AttachmentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, description = "The file, of whatever type it is", content_type = "*/*"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((conversation, id)): Path<(ConversationId, AttachmentId)>,
) -> Result<impl IntoResponse, ApiError> {
    let file = conversations::download(&state.app, &actor, conversation, id).await?;
    let file_type = file.attachment.file_type;
    let content_type = file_type.content_type();
    // What was kept before names were looked at is offered under a proper one as well.
    let name = file_type.properly_named(&file.attachment.filename);
    Ok((
        [
            (CONTENT_TYPE, content_type.to_owned()),
            (CONTENT_LENGTH, file.size.to_string()),
            (CONTENT_DISPOSITION, saved_as(&name)),
        ],
        Extension(AsStored),
        Body::from_stream(file.body),
    ))
}
