use crate::http::error::ErrorBody;
use crate::http::extract::{Form, InTenant, Json, Path, one_file};
use crate::http::{ApiError, AppState};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use quipu_app::documents::{Upload, Uploaded};
use quipu_core::{DocumentId, KnowledgeBaseId, Result};
use utoipa::ToSchema;

/// A form with exactly one file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the form is read as it comes; this describes it")]
struct ReplacementForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Put a new file behind a document.
///
/// Readers see the old version until the new one was processed.
#[utoipa::path(
    put,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/file",
    tag = "knowledge",
    operation_id = "replace_document_file",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    request_body(content = ReplacementForm, content_type = "multipart/form-data"),
    security(("bearer" = [])),
    responses((status = 202, body = Uploaded), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
    request: Request,
) -> Result<(StatusCode, Json<Uploaded>), ApiError> {
    let mut form = Form::new(request, state.http.uploads.max_request_bytes);
    let replaced = match Upload::open_to_replace(&state.app, &actor, kb).await {
        Ok(upload) => {
            let upload = &upload;
            one_file(&mut form, |name, body| async move {
                upload.replace(id, &name, body).await
            })
            .await
        }
        Err(error) => Err(error),
    };
    form.discard().await;
    Ok((StatusCode::ACCEPTED, Json(replaced?)))
}
