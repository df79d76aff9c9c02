use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// The text that was read out of a document. The positions of its chunks point into it.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/text",
    tag = "knowledge",
    operation_id = "get_document_text",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = String, content_type = "text/plain"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<String, ApiError> {
    Ok(documents::text(&state.app, &actor, kb, id).await?)
}
