use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::removal::DeletionReceipt;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// Delete a document with all that was made of it. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}",
    tag = "knowledge",
    operation_id = "delete_document",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(documents::delete(&state.app, &actor, kb, id).await?))
}
