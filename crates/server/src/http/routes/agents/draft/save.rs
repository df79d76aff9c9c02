use super::shown::SavedDraft;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use quipu_app::agents::{self, SaveDraft};

/// Begin a draft of an agent, or change it.
///
/// It takes what `PATCH /api/v1/agents/{agent}` takes, but for `slug` and `enabled`, which always
/// change at once. What is left out stays as the draft has it or, where there is none yet, as it is live.
#[utoipa::path(
    put,
    path = "/api/v1/agents/{agent}/draft",
    tag = "agents",
    operation_id = "save_agent_draft",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = SaveDraft,
    security(("bearer" = [])),
    responses((status = 200, body = SavedDraft))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    headers: HeaderMap,
    Json(input): Json<SaveDraft>,
) -> Result<Json<SavedDraft>, ApiError> {
    let draft = agents::save_draft(&state.app, &actor, &agent, input).await?;
    let saved = SavedDraft::of(&state, &actor, &headers, draft).await?;
    Ok(Json(saved))
}
