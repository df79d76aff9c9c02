use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::agents::saved::SavedAgent;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quipu_app::agents::{self, PublishDraft};

/// Make the draft of an agent what is live, as a new version.
///
/// It is refused with `LIVE_CHANGED` when what is live has changed since the draft was begun, unless
/// `force` says that this is known.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/draft/publish",
    tag = "agents",
    operation_id = "publish_agent_draft",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = PublishDraft,
    security(("bearer" = [])),
    responses((status = 201, body = SavedAgent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    headers: HeaderMap,
    Json(input): Json<PublishDraft>,
) -> Result<(StatusCode, Json<SavedAgent>), ApiError> {
    let agent = agents::publish_draft(&state.app, &actor, &agent, input).await?;
    let saved = SavedAgent::of(&state, &actor, &headers, agent).await?;
    Ok((StatusCode::CREATED, Json(saved)))
}
