use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents;
use quipu_core::knowledge::Document;
use quipu_core::{DocumentId, KnowledgeBaseId};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplaceText {
    #[schema(min_length = 1, max_length = 1_000_000)]
    content: String,
}

/// Put a new text behind a document that was typed.
///
/// Readers see the old one until the new one was processed.
#[utoipa::path(
    put,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/text",
    tag = "knowledge",
    operation_id = "replace_document_text",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    request_body = ReplaceText,
    security(("bearer" = [])),
    responses((status = 202, body = Document), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
    Json(input): Json<ReplaceText>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = documents::replace_text(&state.app, &actor, kb, id, input.content).await?;
    Ok((StatusCode::ACCEPTED, Json(document)))
}
