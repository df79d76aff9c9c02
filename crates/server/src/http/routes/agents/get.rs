use super::saved::SavedAgent;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use quipu_app::agents;

/// One agent.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}",
    tag = "agents",
    operation_id = "get_agent",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = SavedAgent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    headers: HeaderMap,
) -> Result<Json<SavedAgent>, ApiError> {
    let agent = agents::get(&state.app, &actor, &agent).await?;
    let saved = SavedAgent::of(&state, &actor, &headers, agent).await?;
    Ok(Json(saved))
}
