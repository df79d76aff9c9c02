use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents::{self, AddUrl};
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::Document;

/// Add a public web page or a document behind an address. It is read in the background, and again
/// whenever the document is processed again.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/url",
    tag = "knowledge",
    operation_id = "add_url_document",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = AddUrl,
    security(("bearer" = [])),
    responses((status = 202, body = Document), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<AddUrl>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = documents::add_url(&state.app, &actor, kb, input).await?;
    Ok((StatusCode::ACCEPTED, Json(document)))
}
