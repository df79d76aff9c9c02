use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::rehearsals::{self, SaveScript};
use quipu_core::rehearsal::RehearsalScript;

/// Write a script: what a customer says, and what is expected of the answers.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/rehearsals/scripts",
    tag = "agents",
    operation_id = "create_rehearsal_script",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = SaveScript,
    security(("bearer" = [])),
    responses((status = 201, body = RehearsalScript))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(input): Json<SaveScript>,
) -> Result<(StatusCode, Json<RehearsalScript>), ApiError> {
    let script = rehearsals::create_script(&state.app, &actor, &agent, input).await?;
    Ok((StatusCode::CREATED, Json(script)))
}
