use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases;
use quipu_core::knowledge::{CountedKb, KbScope, KbStatus};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct KnowledgeBasesFilter {
    #[param(inline)]
    scope: Option<KbScope>,
    #[param(inline)]
    status: Option<KbStatus>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The knowledge bases you may see, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases",
    tag = "knowledge",
    operation_id = "list_knowledge_bases",
    params(KnowledgeBasesFilter),
    security(("bearer" = [])),
    responses((status = 200, body = Page<CountedKb>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(filter): Query<KnowledgeBasesFilter>,
) -> Result<Json<Page<CountedKb>>, ApiError> {
    let page = PageRequest::parse(filter.limit, filter.cursor.as_deref())?;
    let KnowledgeBasesFilter { scope, status, .. } = filter;
    Ok(Json(
        knowledge_bases::list(&state.app, &actor, scope, status, page).await?,
    ))
}
