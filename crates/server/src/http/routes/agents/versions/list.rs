use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;
use quipu_core::agent::AgentVersion;
use quipu_core::page::Page;

/// The versions of an agent, newest first. The newest is what is live; 200 are kept.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/versions",
    tag = "agents",
    operation_id = "list_agent_versions",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<AgentVersion>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Paging(page): Paging,
) -> Result<Json<Page<AgentVersion>>, ApiError> {
    let listed = agents::list_versions(&state.app, &actor, &agent, page).await?;
    Ok(Json(listed))
}
