use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns::{self, Period};
use quipu_core::Timestamp;
use quipu_core::turn::ToolStatistics;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolParams {
    /// The agent's id or slug; all agents when left out.
    #[param(min_length = 1, max_length = 50)]
    agent: Option<String>,
    /// From this instant on; thirty days before the end when left out.
    from: Option<Timestamp>,
    /// Before this instant; now when left out.
    to: Option<Timestamp>,
}

/// How each tool was used, beside as much time before.
#[utoipa::path(
    get,
    path = "/api/v1/statistics/tools",
    tag = "turns",
    operation_id = "get_tool_statistics",
    params(ToolParams),
    security(("bearer" = [])),
    responses((status = 200, body = ToolStatistics))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<ToolParams>,
) -> Result<Json<ToolStatistics>, ApiError> {
    let period = Period {
        from: params.from,
        to: params.to,
    };
    let agent = params.agent.as_deref();
    let found = turns::tool_use(&state.app, &actor, agent, period).await?;
    Ok(Json(found))
}
