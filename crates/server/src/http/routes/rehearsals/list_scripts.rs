use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::rehearsals;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::RehearsalScript;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptParams {
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The scripts of an agent, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/rehearsals/scripts",
    tag = "agents",
    operation_id = "list_rehearsal_scripts",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ScriptParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<RehearsalScript>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<ScriptParams>,
) -> Result<Json<Page<RehearsalScript>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let found = rehearsals::list_scripts(&state.app, &actor, &agent, page).await?;
    Ok(Json(found))
}
