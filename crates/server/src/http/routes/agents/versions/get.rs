use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;
use quipu_core::agent::ConfiguredVersion;

/// One version of an agent, with what it holds.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/versions/{version_number}",
    tag = "agents",
    operation_id = "get_agent_version",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("version_number" = u32, Path, description = "The number of the version", minimum = 1)),
    security(("bearer" = [])),
    responses((status = 200, body = ConfiguredVersion))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, number)): Path<(String, u32)>,
) -> Result<Json<ConfiguredVersion>, ApiError> {
    let version = agents::version(&state.app, &actor, &agent, number).await?;
    Ok(Json(version))
}
