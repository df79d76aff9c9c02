use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::agents;

/// Throw the draft of an agent away. What is live stays as it is.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/draft",
    tag = "agents",
    operation_id = "discard_agent_draft",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<StatusCode, ApiError> {
    agents::discard_draft(&state.app, &actor, &agent).await?;
    Ok(StatusCode::NO_CONTENT)
}
