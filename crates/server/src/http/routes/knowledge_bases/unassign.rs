use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::knowledge_bases;
use quipu_core::KnowledgeBaseId;

/// Stop an agent from reading a knowledge base, from its next answer on.
#[utoipa::path(
    delete,
    path = "/api/v1/knowledge-bases/{kb_id}/assignments/{agent}",
    tag = "knowledge",
    operation_id = "unassign_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path), ("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, agent)): Path<(KnowledgeBaseId, String)>,
) -> Result<StatusCode, ApiError> {
    knowledge_bases::unassign(&state.app, &actor, kb, &agent).await?;
    Ok(StatusCode::NO_CONTENT)
}
