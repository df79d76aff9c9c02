use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents::{self, UpdateDocument};
use quipu_core::knowledge::Document;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// Change what is said about a document, or whether it is found.
#[utoipa::path(
    patch,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}",
    tag = "knowledge",
    operation_id = "update_document",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    request_body = UpdateDocument,
    security(("bearer" = [])),
    responses((status = 200, body = Document))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
    Json(input): Json<UpdateDocument>,
) -> Result<Json<Document>, ApiError> {
    Ok(Json(
        documents::update(&state.app, &actor, kb, id, input).await?,
    ))
}
