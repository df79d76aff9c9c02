use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::rehearsals::{self, StartRehearsal};
use quipu_core::rehearsal::RehearsalRun;

/// Play scripts and conversations again with an agent, or with its draft, without effects. What it would
/// change is checked and undone; models are asked and paid for.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/rehearsals",
    tag = "agents",
    operation_id = "start_rehearsal",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = StartRehearsal,
    security(("bearer" = [])),
    responses((status = 202, body = RehearsalRun))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(input): Json<StartRehearsal>,
) -> Result<(StatusCode, Json<RehearsalRun>), ApiError> {
    let run = rehearsals::start(&state.app, &actor, &agent, input).await?;
    Ok((StatusCode::ACCEPTED, Json(run)))
}
