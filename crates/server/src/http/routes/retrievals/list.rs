use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::retrievals;
use quipu_core::AgentId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::retrieval::RetrievalEntry;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct RetrievalsFilter {
    /// Only searches in the name of this agent.
    agent_id: Option<AgentId>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What was searched for and what came of it, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/retrievals",
    tag = "usage",
    operation_id = "list_retrievals",
    params(RetrievalsFilter),
    security(("bearer" = [])),
    responses((status = 200, body = Page<RetrievalEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(filter): Query<RetrievalsFilter>,
) -> Result<Json<Page<RetrievalEntry>>, ApiError> {
    let page = PageRequest::parse(filter.limit, filter.cursor.as_deref())?;
    Ok(Json(
        retrievals::list(&state.app, &actor, filter.agent_id, page).await?,
    ))
}
