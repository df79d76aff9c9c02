use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::websites::{self, CreateWebsite};
use quipu_core::KnowledgeBaseId;
use quipu_core::website::Website;

/// Add a whole website. Its pages are found and read in the background, and each becomes a document
/// of the knowledge base.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/websites",
    tag = "knowledge",
    operation_id = "create_website",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = CreateWebsite,
    security(("bearer" = [])),
    responses((status = 202, body = Website))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<CreateWebsite>,
) -> Result<(StatusCode, Json<Website>), ApiError> {
    let site = websites::create(&state.app, &actor, kb, input).await?;
    Ok((StatusCode::ACCEPTED, Json(site)))
}
