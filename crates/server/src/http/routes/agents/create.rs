use super::saved::SavedAgent;
use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use quipu_app::agents::{self, CreateAgent};

/// Make an agent with a knowledge base of its own.
#[utoipa::path(
    post,
    path = "/api/v1/agents",
    tag = "agents",
    operation_id = "create_agent",
    request_body = CreateAgent,
    security(("bearer" = [])),
    responses((status = 201, body = SavedAgent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    headers: HeaderMap,
    Json(input): Json<CreateAgent>,
) -> Result<(StatusCode, Json<SavedAgent>), ApiError> {
    let agent = agents::create(&state.app, &actor, input).await?;
    let saved = SavedAgent::of(&state, &actor, &headers, agent).await?;
    Ok((StatusCode::CREATED, Json(saved)))
}
