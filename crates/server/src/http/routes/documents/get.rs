use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::knowledge::Document;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// One document.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}",
    tag = "knowledge",
    operation_id = "get_document",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Document))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<Json<Document>, ApiError> {
    Ok(Json(documents::get(&state.app, &actor, kb, id).await?))
}
