use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites::{self, UpdateWebsite};
use quipu_core::WebsiteId;
use quipu_core::website::Website;

/// Change how a website is read, and when it is read again.
#[utoipa::path(
    patch,
    path = "/api/v1/websites/{website_id}",
    tag = "knowledge",
    operation_id = "update_website",
    params(("website_id" = WebsiteId, Path)),
    request_body = UpdateWebsite,
    security(("bearer" = [])),
    responses((status = 200, body = Website))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
    Json(input): Json<UpdateWebsite>,
) -> Result<Json<Website>, ApiError> {
    Ok(Json(websites::update(&state.app, &actor, id, input).await?))
}
