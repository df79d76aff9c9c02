use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents::{self, BulkOutcome};
use quipu_core::{DocumentId, KnowledgeBaseId};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReprocessDocuments {
    /// Every document that failed when left out.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 1000)]
    document_ids: Option<Vec<DocumentId>>,
}

/// Process many documents again: those named, or every one that failed.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/reprocess",
    tag = "knowledge",
    operation_id = "reprocess_documents",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = ReprocessDocuments,
    security(("bearer" = [])),
    responses((status = 202, body = BulkOutcome), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<ReprocessDocuments>,
) -> Result<(StatusCode, Json<BulkOutcome>), ApiError> {
    let outcome = documents::reprocess_many(&state.app, &actor, kb, input.document_ids).await?;
    Ok((StatusCode::ACCEPTED, Json(outcome)))
}
