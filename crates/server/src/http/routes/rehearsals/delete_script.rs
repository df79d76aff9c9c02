use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::rehearsals;
use quipu_core::RehearsalScriptId;

/// Delete a script. What was rehearsed with it stays.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/rehearsals/scripts/{script_id}",
    tag = "agents",
    operation_id = "delete_rehearsal_script",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("script_id" = RehearsalScriptId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalScriptId)>,
) -> Result<StatusCode, ApiError> {
    rehearsals::delete_script(&state.app, &actor, &agent, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
