use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals;
use quipu_core::RehearsalRunId;
use quipu_core::rehearsal::RehearsalRun;

/// Stop a rehearsal. What was played stays.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/stop",
    tag = "agents",
    operation_id = "stop_rehearsal",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("rehearsal_id" = RehearsalRunId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = RehearsalRun))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalRunId)>,
) -> Result<Json<RehearsalRun>, ApiError> {
    let run = rehearsals::stop(&state.app, &actor, &agent, id).await?;
    Ok(Json(run))
}
