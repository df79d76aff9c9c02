use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites;
use quipu_core::KnowledgeBaseId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::website::Website;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct WebsitesParams {
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The websites of a knowledge base, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/websites",
    tag = "knowledge",
    operation_id = "list_websites",
    params(("kb_id" = KnowledgeBaseId, Path), WebsitesParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Website>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Query(params): Query<WebsitesParams>,
) -> Result<Json<Page<Website>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    Ok(Json(websites::list(&state.app, &actor, kb, page).await?))
}
