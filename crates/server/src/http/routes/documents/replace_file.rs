use crate::http::error::ErrorBody;
use crate::http::extract::{Form, InTenant, Json, Part, Path, wrong_field};
use crate::http::{ApiError, AppState};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use bytes::Bytes;
use futures::{StreamExt, stream};
use quipu_app::documents::{Upload, Uploaded};
use quipu_core::validate::Problem;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use tokio::sync::mpsc;
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
    let replaced = match Upload::open(&state.app, &actor, kb).await {
        Ok(upload) => replace(&mut form, &upload, id).await,
        Err(error) => Err(error),
    };
    form.discard().await;
    Ok((StatusCode::ACCEPTED, Json(replaced?)))
}

/// Reads the form to its end before the file counts, so that one with two files changes nothing.
async fn replace(form: &mut Form, upload: &Upload<'_>, id: DocumentId) -> Result<Uploaded> {
    let (to_storage, pieces) = mpsc::channel(1);
    let pieces = stream::unfold(pieces, async |mut pieces: mpsc::Receiver<_>| {
        Some((pieces.recv().await?, pieces))
    });
    let (name, mut body) = match form.next().await? {
        Some(Part::File { name, body }) => (name, body),
        Some(Part::Text { name, .. }) => return Err(only_a_file(&name)),
        None => return Err(Error::new(ErrorCode::InvalidMultipart)),
    };
    let read = async {
        while let Some(piece) = body.next().await {
            // Nobody listens any more when the file was refused; its refusal is the answer.
            if to_storage.send(piece).await.is_err() {
                return;
            }
        }
        let more = match body.into_form().next().await {
            Ok(None) => None,
            Ok(Some(Part::Text { name, .. })) => Some(only_a_file(&name)),
            Ok(Some(Part::File { .. })) => {
                Some(wrong_field("file", Problem::Range { min: 1, max: 1 }))
            }
            Err(error) => Some(error),
        };
        if let Some(error) = more {
            drop(to_storage.send(Err::<Bytes, Error>(error)).await);
        }
        drop(to_storage);
    };
    // Handed over whole: when the file is refused, the channel closes and the reading ends.
    let pieces = pieces.boxed();
    let (replaced, ()) = tokio::join!(upload.replace(id, &name, pieces), read);
    replaced
}

fn only_a_file(field: &str) -> Error {
    let allowed = "file".to_owned();
    wrong_field(field, Problem::Unknown { allowed })
}
