use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases;
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::CountedKb;

/// One knowledge base.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}",
    tag = "knowledge",
    operation_id = "get_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = CountedKb))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
) -> Result<Json<CountedKb>, ApiError> {
    Ok(Json(knowledge_bases::get(&state.app, &actor, kb).await?))
}
