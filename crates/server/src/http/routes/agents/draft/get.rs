use super::shown::SavedDraft;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use quipu_app::agents;

/// The draft of an agent.
///
/// What is in it shapes nobody's answers before it is published.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/draft",
    tag = "agents",
    operation_id = "get_agent_draft",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = SavedDraft))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    headers: HeaderMap,
) -> Result<Json<SavedDraft>, ApiError> {
    let draft = agents::draft(&state.app, &actor, &agent).await?;
    let saved = SavedDraft::of(&state, &actor, &headers, draft).await?;
    Ok(Json(saved))
}
