use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases;
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::Assignment;

/// Which agents read a knowledge base, and how much it counts for each.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/assignments",
    tag = "knowledge",
    operation_id = "list_knowledge_base_assignments",
    params(("kb_id" = KnowledgeBaseId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Vec<Assignment>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
) -> Result<Json<Vec<Assignment>>, ApiError> {
    Ok(Json(
        knowledge_bases::assignments(&state.app, &actor, kb).await?,
    ))
}
