use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents::{self, ChunkWithNeighbours};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId};

/// One chunk, its neighbours and the text around it.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/chunks/{chunk_id}",
    tag = "knowledge",
    operation_id = "get_document_chunk",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path), ("chunk_id" = ChunkId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ChunkWithNeighbours))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id, chunk)): Path<(KnowledgeBaseId, DocumentId, ChunkId)>,
) -> Result<Json<ChunkWithNeighbours>, ApiError> {
    Ok(Json(
        documents::chunk(&state.app, &actor, kb, id, chunk).await?,
    ))
}
