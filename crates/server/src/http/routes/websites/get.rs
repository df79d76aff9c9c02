use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites;
use quipu_core::WebsiteId;
use quipu_core::website::Website;

/// A website and what its last reading came to.
#[utoipa::path(
    get,
    path = "/api/v1/websites/{website_id}",
    tag = "knowledge",
    operation_id = "get_website",
    params(("website_id" = WebsiteId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Website))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
) -> Result<Json<Website>, ApiError> {
    Ok(Json(websites::get(&state.app, &actor, id).await?))
}
