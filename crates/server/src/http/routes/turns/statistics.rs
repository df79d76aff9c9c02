use super::PeriodParams;
use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns;
use quipu_core::turn::AgentStatistics;

/// How an agent does: tokens, tools, hand-offs, latency and cost of its turns.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/statistics",
    tag = "turns",
    operation_id = "get_agent_statistics",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), PeriodParams),
    security(("bearer" = [])),
    responses((status = 200, body = AgentStatistics))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<PeriodParams>,
) -> Result<Json<AgentStatistics>, ApiError> {
    let found = turns::statistics(&state.app, &actor, &agent, params.into()).await?;
    Ok(Json(found))
}
