use super::upload::{self, UploadAnswer, UploadForm};
use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use quipu_core::KnowledgeBaseId;

/// Upload files, by the name that workflows know.
#[utoipa::path(
    post,
    path = "/api/corpus/{kb_id}/documents",
    tag = "knowledge",
    operation_id = "upload_corpus_documents",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("bearer" = [])),
    responses((status = 202, body = UploadAnswer), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    request: Request,
) -> Result<(StatusCode, Json<UploadAnswer>), ApiError> {
    upload::receive(&state, &actor, kb, request).await
}
