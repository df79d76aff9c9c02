use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::rehearsals::{self, ScriptFromConversation};
use quipu_core::rehearsal::RehearsalScript;

/// Make a script of what a customer said in a conversation with the agent, without what tells who they are.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/rehearsals/scripts/from-conversation",
    tag = "agents",
    operation_id = "create_script_from_conversation",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = ScriptFromConversation,
    security(("bearer" = [])),
    responses((status = 201, body = RehearsalScript))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(input): Json<ScriptFromConversation>,
) -> Result<(StatusCode, Json<RehearsalScript>), ApiError> {
    let script = rehearsals::from_conversation(&state.app, &actor, &agent, input).await?;
    Ok((StatusCode::CREATED, Json(script)))
}
