use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;
use quipu_core::agent::Agent;

/// One agent.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}",
    tag = "agents",
    operation_id = "get_agent",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = Agent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<Agent>, ApiError> {
    Ok(Json(agents::get(&state.app, &actor, &agent).await?))
}
