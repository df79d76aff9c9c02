use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::agents;

/// Delete an agent, its knowledge base and everything in it.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}",
    tag = "agents",
    operation_id = "delete_agent",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<StatusCode, ApiError> {
    agents::delete(&state.app, &actor, &agent).await?;
    Ok(StatusCode::NO_CONTENT)
}
