use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::searching::{NAMES, RagQuery, TrialResult};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::search;
use quipu_core::KnowledgeBaseId;

/// Try out what a search in this knowledge base finds, whether an agent reads it or not.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/search",
    tag = "knowledge",
    operation_id = "search_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = RagQuery,
    security(("bearer" = [])),
    responses((status = 200, body = TrialResult))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(query): Json<RagQuery>,
) -> Result<Json<TrialResult>, ApiError> {
    let input = query.into_input();
    let searched = search::trial(&state.app, &actor, kb, &input, NAMES).await?;
    Ok(Json(searched.into()))
}
