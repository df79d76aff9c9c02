use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::agents::difference::AgentDifference;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;

/// What the draft of an agent would change.
///
/// Field by field: as it is live, and as it would be. Long texts come line by line as well.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/draft/difference",
    tag = "agents",
    operation_id = "get_agent_draft_difference",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = AgentDifference))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<AgentDifference>, ApiError> {
    let data = agents::draft_difference(&state.app, &actor, &agent).await?;
    Ok(Json(AgentDifference { data }))
}
