use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites;
use quipu_core::WebsiteId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::website::{WebsitePage, WebsitePageState};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct WebsitePagesParams {
    #[param(inline)]
    state: Option<WebsitePageState>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The pages of a website, those found first before the others.
#[utoipa::path(
    get,
    path = "/api/v1/websites/{website_id}/pages",
    tag = "knowledge",
    operation_id = "list_website_pages",
    params(("website_id" = WebsiteId, Path), WebsitePagesParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<WebsitePage>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
    Query(params): Query<WebsitePagesParams>,
) -> Result<Json<Page<WebsitePage>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let pages = websites::pages(&state.app, &actor, id, params.state, page).await?;
    Ok(Json(pages))
}
