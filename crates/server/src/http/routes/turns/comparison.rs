use super::PeriodParams;
use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns;
use quipu_core::turn::Comparison;

/// The ways of an agent that were tried out, side by side, and what can be said of them by now.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/comparison",
    tag = "turns",
    operation_id = "get_agent_comparison",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), PeriodParams),
    security(("bearer" = [])),
    responses((status = 200, body = Comparison))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<PeriodParams>,
) -> Result<Json<Comparison>, ApiError> {
    let found = turns::comparison(&state.app, &actor, &agent, params.into()).await?;
    Ok(Json(found))
}
