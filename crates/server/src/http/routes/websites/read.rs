use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::websites;
use quipu_core::WebsiteId;
use quipu_core::website::Website;

/// Read a website now, in the background. One that is being read already goes on.
#[utoipa::path(
    post,
    path = "/api/v1/websites/{website_id}/read",
    tag = "knowledge",
    operation_id = "read_website",
    params(("website_id" = WebsiteId, Path)),
    security(("bearer" = [])),
    responses((status = 202, body = Website))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
) -> Result<(StatusCode, Json<Website>), ApiError> {
    let site = websites::read_now(&state.app, &actor, id).await?;
    Ok((StatusCode::ACCEPTED, Json(site)))
}
