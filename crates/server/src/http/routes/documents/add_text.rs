use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents::{self, AddText};
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::Document;

/// Add a text. It is searchable as soon as its status is `completed`.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/text",
    tag = "knowledge",
    operation_id = "add_text_document",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = AddText,
    security(("bearer" = [])),
    responses((status = 202, body = Document), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<AddText>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = documents::add_text(&state.app, &actor, kb, input).await?;
    Ok((StatusCode::ACCEPTED, Json(document)))
}
