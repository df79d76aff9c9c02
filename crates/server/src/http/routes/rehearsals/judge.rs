use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals::{self, JudgeResult};
use quipu_core::rehearsal::RehearsalResult;
use quipu_core::{RehearsalResultId, RehearsalRunId};

/// Say what you make of an answer.
#[utoipa::path(
    patch,
    path = "/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/results/{result_id}",
    tag = "agents",
    operation_id = "judge_rehearsal_result",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("rehearsal_id" = RehearsalRunId, Path), ("result_id" = RehearsalResultId, Path)),
    request_body = JudgeResult,
    security(("bearer" = [])),
    responses((status = 200, body = RehearsalResult))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, run, id)): Path<(String, RehearsalRunId, RehearsalResultId)>,
    Json(input): Json<JudgeResult>,
) -> Result<Json<RehearsalResult>, ApiError> {
    let judged = rehearsals::judge(&state.app, &actor, &agent, run, id, input).await?;
    Ok(Json(judged))
}
