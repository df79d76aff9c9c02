use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::RehearsalRun;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct RehearsalParams {
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The rehearsals of an agent, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/rehearsals",
    tag = "agents",
    operation_id = "list_rehearsals",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), RehearsalParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<RehearsalRun>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<RehearsalParams>,
) -> Result<Json<Page<RehearsalRun>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let found = rehearsals::list(&state.app, &actor, &agent, page).await?;
    Ok(Json(found))
}
