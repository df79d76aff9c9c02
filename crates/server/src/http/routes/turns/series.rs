use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns::{self, Period};
use quipu_core::Timestamp;
use quipu_core::turn::{SeriesStretch, StatisticsSeries};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct SeriesParams {
    /// The agent's id or slug; all agents when left out.
    #[param(min_length = 1, max_length = 50)]
    agent: Option<String>,
    /// From this instant on; thirty days before the end when left out.
    from: Option<Timestamp>,
    /// Before this instant; now when left out.
    to: Option<Timestamp>,
    /// How long each stretch is, on the clock of the business; `day` when left out. There are at most a
    /// hundred.
    #[param(inline)]
    every: Option<SeriesStretch>,
}

/// How agents do as time goes by, beside as much time before.
#[utoipa::path(
    get,
    path = "/api/v1/statistics/series",
    tag = "turns",
    operation_id = "get_statistics_series",
    params(SeriesParams),
    security(("bearer" = [])),
    responses((status = 200, body = StatisticsSeries))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<SeriesParams>,
) -> Result<Json<StatisticsSeries>, ApiError> {
    let period = Period {
        from: params.from,
        to: params.to,
    };
    let every = params.every.unwrap_or_default();
    let agent = params.agent.as_deref();
    let found = turns::series(&state.app, &actor, agent, period, every).await?;
    Ok(Json(found))
}
