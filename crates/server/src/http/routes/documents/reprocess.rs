use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents;
use quipu_core::knowledge::Document;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// Process a document again. Readers keep what they see until it is done.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/reprocess",
    tag = "knowledge",
    operation_id = "reprocess_document",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 202, body = Document), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = documents::reprocess(&state.app, &actor, kb, id).await?;
    Ok((StatusCode::ACCEPTED, Json(document)))
}
