use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::chat::{self, AgentPrompt};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct AgentPrompts {
    data: Vec<AgentPrompt>,
}

/// The prompts an agent has, one for each medium.
///
/// Each with its sections, what they take in tokens and what had no room, and with what became of the
/// better words that its model was asked for.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/prompts",
    tag = "agents",
    operation_id = "list_agent_prompts",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = AgentPrompts))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<AgentPrompts>, ApiError> {
    let data = chat::agent_prompts(&state.app, &actor, &agent).await?;
    Ok(Json(AgentPrompts { data }))
}
