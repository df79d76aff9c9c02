use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge;
use quipu_core::knowledge::KnowledgeStats;

/// How much the agent knows.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/knowledge/stats",
    tag = "knowledge",
    operation_id = "get_agent_knowledge_stats",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = KnowledgeStats))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<KnowledgeStats>, ApiError> {
    Ok(Json(knowledge::stats(&state.app, &actor, &agent).await?))
}
