use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals;
use quipu_core::RehearsalScriptId;
use quipu_core::rehearsal::RehearsalScript;

/// One script.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/rehearsals/scripts/{script_id}",
    tag = "agents",
    operation_id = "get_rehearsal_script",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("script_id" = RehearsalScriptId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = RehearsalScript))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalScriptId)>,
) -> Result<Json<RehearsalScript>, ApiError> {
    let script = rehearsals::get_script(&state.app, &actor, &agent, id).await?;
    Ok(Json(script))
}
