use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::websites::{self, PreviewWebsite, WebsitePreview};
use quipu_core::KnowledgeBaseId;

/// Look which pages of a website would be read, without adding it.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/websites/preview",
    tag = "knowledge",
    operation_id = "preview_website",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = PreviewWebsite,
    security(("bearer" = [])),
    responses((status = 200, body = WebsitePreview))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<PreviewWebsite>,
) -> Result<Json<WebsitePreview>, ApiError> {
    Ok(Json(
        websites::preview(&state.app, &actor, kb, input).await?,
    ))
}
