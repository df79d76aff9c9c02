use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::gaps::{self, FoundGaps, GapFilter};
use quipu_app::turns::Period;
use quipu_core::Timestamp;
use quipu_core::gap::GapStatus;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct GapParams {
    /// The agent's id or slug; all agents when left out.
    #[param(min_length = 1, max_length = 50)]
    agent: Option<String>,
    #[param(inline)]
    status: Option<GapStatus>,
    /// From this instant on; thirty days before the end when left out.
    from: Option<Timestamp>,
    /// Before this instant; now when left out.
    to: Option<Timestamp>,
}

/// What was asked in vain or answered badly, put together by what it asks for, most often asked first.
#[utoipa::path(
    get,
    path = "/api/v1/gaps",
    tag = "turns",
    operation_id = "list_gaps",
    params(GapParams),
    security(("bearer" = [])),
    responses((status = 200, body = FoundGaps))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<GapParams>,
) -> Result<Json<FoundGaps>, ApiError> {
    let filter = GapFilter {
        agent: params.agent,
        status: params.status,
        period: Period {
            from: params.from,
            to: params.to,
        },
    };
    Ok(Json(gaps::list(&state.app, &actor, &filter).await?))
}
