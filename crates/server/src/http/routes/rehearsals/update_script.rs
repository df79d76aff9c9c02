use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals::{self, SaveScript};
use quipu_core::RehearsalScriptId;
use quipu_core::rehearsal::RehearsalScript;

/// Replace a script.
#[utoipa::path(
    put,
    path = "/api/v1/agents/{agent}/rehearsals/scripts/{script_id}",
    tag = "agents",
    operation_id = "update_rehearsal_script",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("script_id" = RehearsalScriptId, Path)),
    request_body = SaveScript,
    security(("bearer" = [])),
    responses((status = 200, body = RehearsalScript))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalScriptId)>,
    Json(input): Json<SaveScript>,
) -> Result<Json<RehearsalScript>, ApiError> {
    let script = rehearsals::update_script(&state.app, &actor, &agent, id, input).await?;
    Ok(Json(script))
}
