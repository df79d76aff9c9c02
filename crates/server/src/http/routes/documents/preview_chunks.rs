use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents::{self, ChunkPreview, PreviewChunks};
use quipu_core::KnowledgeBaseId;

/// See how a text or a document of the knowledge base would be cut, before the configuration is saved.
///
/// Nothing is kept, embedded or charged for.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/chunks/preview",
    tag = "knowledge",
    operation_id = "preview_chunks",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = PreviewChunks,
    security(("bearer" = [])),
    responses((status = 200, body = ChunkPreview))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<PreviewChunks>,
) -> Result<Json<ChunkPreview>, ApiError> {
    Ok(Json(
        documents::preview_chunks(&state.app, &actor, kb, input).await?,
    ))
}
