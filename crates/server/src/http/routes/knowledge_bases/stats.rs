use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases;
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::KnowledgeStats;

/// How much a knowledge base holds.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/stats",
    tag = "knowledge",
    operation_id = "get_knowledge_base_stats",
    params(("kb_id" = KnowledgeBaseId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = KnowledgeStats))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
) -> Result<Json<KnowledgeStats>, ApiError> {
    Ok(Json(knowledge_bases::stats(&state.app, &actor, kb).await?))
}
