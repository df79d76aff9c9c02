use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::agents::saved::SavedAgent;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quipu_app::agents::{self, RestoreVersion};

/// Make an older version of an agent live again, as a new version.
///
/// What is not allowed any more is refused. What cannot be used any more, such as a model whose key is
/// gone, is told in `warnings`.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/versions/{version_number}/restore",
    tag = "agents",
    operation_id = "restore_agent_version",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("version_number" = u32, Path, description = "The number of the version", minimum = 1)),
    request_body = RestoreVersion,
    security(("bearer" = [])),
    responses((status = 201, body = SavedAgent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, number)): Path<(String, u32)>,
    headers: HeaderMap,
    Json(input): Json<RestoreVersion>,
) -> Result<(StatusCode, Json<SavedAgent>), ApiError> {
    let agent = agents::restore_version(&state.app, &actor, &agent, number, input).await?;
    let saved = SavedAgent::of(&state, &actor, &headers, agent).await?;
    Ok((StatusCode::CREATED, Json(saved)))
}
