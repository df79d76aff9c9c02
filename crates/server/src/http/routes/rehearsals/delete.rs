use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::rehearsals;
use quipu_core::RehearsalRunId;

/// Delete a rehearsal that has ended, with its answers.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/rehearsals/{rehearsal_id}",
    tag = "agents",
    operation_id = "delete_rehearsal",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("rehearsal_id" = RehearsalRunId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalRunId)>,
) -> Result<StatusCode, ApiError> {
    rehearsals::delete(&state.app, &actor, &agent, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
