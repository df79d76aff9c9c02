use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals;
use quipu_core::RehearsalRunId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{RehearsalResult, ResultFilter};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultParams {
    /// Only what changed, or only what is not as expected.
    #[param(inline)]
    only: Option<ResultFilter>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What was answered in a rehearsal beside what was answered before, in the order it was played.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/rehearsals/{rehearsal_id}/results",
    tag = "agents",
    operation_id = "list_rehearsal_results",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("rehearsal_id" = RehearsalRunId, Path), ResultParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<RehearsalResult>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, RehearsalRunId)>,
    Query(params): Query<ResultParams>,
) -> Result<Json<Page<RehearsalResult>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let found = rehearsals::list_results(&state.app, &actor, &agent, id, params.only, page).await?;
    Ok(Json(found))
}
