use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::knowledge::ProcessingStatus;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// How far the processing of a document is.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/status",
    tag = "knowledge",
    operation_id = "get_document_status",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ProcessingStatus))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<Json<ProcessingStatus>, ApiError> {
    Ok(Json(documents::status(&state.app, &actor, kb, id).await?))
}
