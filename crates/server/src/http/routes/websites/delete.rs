use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites;
use quipu_core::WebsiteId;
use quipu_core::removal::DeletionReceipt;

/// Delete a website with the documents that are its pages. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/websites/{website_id}",
    tag = "knowledge",
    operation_id = "delete_website",
    params(("website_id" = WebsiteId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<WebsiteId>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(websites::delete(&state.app, &actor, id).await?))
}
