use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites;
use quipu_core::WebsiteId;
use quipu_core::website::Website;

/// End the reading of a website. What was read stays, and nothing is removed.
#[utoipa::path(
    post,
    path = "/api/v1/websites/{website_id}/stop",
    tag = "knowledge",
    operation_id = "stop_website",
    params(("website_id" = WebsiteId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Website))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
) -> Result<Json<Website>, ApiError> {
    Ok(Json(websites::stop(&state.app, &actor, id).await?))
}
