use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::agents::{self, CreateAgent};
use quipu_core::agent::Agent;

/// Make an agent with a knowledge base of its own.
#[utoipa::path(
    post,
    path = "/api/v1/agents",
    tag = "agents",
    operation_id = "create_agent",
    request_body = CreateAgent,
    security(("bearer" = [])),
    responses((status = 201, body = Agent))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateAgent>,
) -> Result<(StatusCode, Json<Agent>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(agents::create(&state.app, &actor, input).await?),
    ))
}
