use crate::http::error::ErrorBody;
use crate::http::extract::{Form, InTenant, Json, Part, Path, wrong_field};
use crate::http::{ApiError, AppState};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::ACCEPT_LANGUAGE;
use quipu_app::Actor;
use quipu_app::documents::{FileDetails, Upload, Uploaded};
use quipu_core::language::Language;
use quipu_core::validate::Problem;
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use serde::Serialize;
use utoipa::ToSchema;

/// Files, and what is said about them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the form is read as it comes; this describes it")]
pub(super) struct UploadForm {
    /// Counts for the files after it, as do all fields that are not files. The document's own
    /// title, or its file's name, when left out.
    #[schema(required = false, max_length = 255)]
    title: String,
    #[schema(required = false, max_length = 100)]
    category: String,
    /// Separated by commas, or one field for each.
    #[schema(required = false, max_length = 2600, example = "precios,2026")]
    tags: String,
    /// A JSON object.
    #[schema(required = false, max_length = 16384, example = "{}")]
    metadata: String,
    /// One field for each file. Any other field that has a file's name is taken for one too.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 50)]
    file: Vec<Vec<u8>>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct UploadAnswer {
    /// The first file that was taken on.
    #[serde(flatten)]
    first: Uploaded,
    /// Every file that was taken on.
    documents: Vec<Uploaded>,
    /// Every file that was not. When none was taken on, the first refusal is the answer.
    refused: Vec<RefusedFile>,
}

#[derive(Serialize, ToSchema)]
struct RefusedFile {
    filename: Option<String>,
    error: Refusal,
}

/// As in the answer to a request that was refused.
#[derive(Serialize, ToSchema)]
struct Refusal {
    #[schema(example = "DUPLICATE_DOCUMENT")]
    code: &'static str,
    message: String,
    #[schema(value_type = Object)]
    details: serde_json::Map<String, serde_json::Value>,
}

/// Upload files.
///
/// PDF, documents, sheets and slides of Office, text, Markdown, HTML, CSV and JSON, told by what is
/// in them. The work goes on in the background: follow it in the document's status or in the
/// knowledge base's events. A file that is there already is refused, naming its document.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents",
    tag = "knowledge",
    operation_id = "upload_documents",
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
    receive(&state, &actor, kb, request).await
}

/// Takes on what is in the form, file by file, each for itself.
pub(super) async fn receive(
    state: &AppState,
    actor: &Actor,
    kb: KnowledgeBaseId,
    request: Request,
) -> Result<(StatusCode, Json<UploadAnswer>), ApiError> {
    let limits = state.http.uploads;
    let accept = request.headers().get(ACCEPT_LANGUAGE);
    let language = Language::from_accept_language(accept.and_then(|value| value.to_str().ok()));
    let mut form = Form::new(request, limits.max_request_bytes);
    let received = match Upload::open(&state.app, actor, kb).await {
        Ok(upload) => Received::read(&mut form, &upload, limits.max_files).await,
        Err(error) => Received::refusing(error),
    };
    form.discard().await;
    Ok((StatusCode::ACCEPTED, Json(received.answer(language)?)))
}

#[derive(Default)]
struct Received {
    documents: Vec<Uploaded>,
    refused: Vec<(Option<String>, Error)>,
}

impl Received {
    fn refusing(error: Error) -> Self {
        Self {
            documents: Vec::new(),
            refused: vec![(None, error)],
        }
    }

    async fn read(form: &mut Form, upload: &Upload<'_>, max_files: usize) -> Self {
        let mut received = Self::default();
        let mut details = FileDetails::default();
        loop {
            let (filename, refusal) = match form.next().await {
                Ok(None) => return received,
                Ok(Some(Part::Text { name, value })) => {
                    match describe(&mut details, &name, value) {
                        Ok(()) => continue,
                        Err(error) => (None, error),
                    }
                }
                Ok(Some(Part::File { name, body })) => {
                    if received.files() == max_files {
                        received.refused.push((Some(name), too_many(max_files)));
                        return received;
                    }
                    match upload.add(&name, &details, body).await {
                        Ok(uploaded) => {
                            received.documents.push(uploaded);
                            continue;
                        }
                        // The next file may be better than this one.
                        Err(error) if error.status() < 500 && !form.is_broken() => {
                            received.refused.push((Some(name), error));
                            continue;
                        }
                        Err(error) => (Some(name), error),
                    }
                }
                Err(error) => (None, error),
            };
            received.refused.push((filename, refusal));
            return received;
        }
    }

    fn files(&self) -> usize {
        self.documents.len() + self.refused.len()
    }

    fn answer(self, language: Language) -> Result<UploadAnswer> {
        let mut refused = self.refused.into_iter();
        let Some(first) = self.documents.first().cloned() else {
            let nothing = || Error::new(ErrorCode::InvalidMultipart);
            return Err(refused.next().map_or_else(nothing, |(_, error)| error));
        };
        Ok(UploadAnswer {
            first,
            documents: self.documents,
            refused: refused
                .map(|(filename, error)| RefusedFile {
                    filename,
                    error: Refusal::told(&error, language),
                })
                .collect(),
        })
    }
}

impl Refusal {
    fn told(error: &Error, language: Language) -> Self {
        if error.status() == 500 {
            tracing::error!(%error, "a file was not taken on: {error}");
        }
        Self {
            code: error.code().as_str(),
            message: error.message(language),
            details: error.told_details(language),
        }
    }
}

/// Takes a field that is not a file for what it says about the files after it. An empty one is
/// what a browser sends for a field that nobody filled in.
fn describe(details: &mut FileDetails, name: &str, value: String) -> Result<()> {
    let given = Some(value).filter(|value| !value.trim().is_empty());
    match name {
        "title" => details.title = given,
        "category" => details.category = given,
        "tags" => details.tags.extend(
            given
                .iter()
                .flat_map(|value| value.split(','))
                .map(str::trim)
                .filter(|tag| !tag.is_empty())
                .map(str::to_owned),
        ),
        "metadata" | "custom_metadata" => {
            details.metadata = given.map(|value| object(&value)).transpose()?;
        }
        _ => {
            let allowed = "title, category, tags, metadata, file".to_owned();
            return Err(wrong_field(name, Problem::Unknown { allowed }));
        }
    }
    Ok(())
}

fn object(text: &str) -> Result<serde_json::Value> {
    let value = serde_json::from_str(text).ok();
    value.filter(serde_json::Value::is_object).ok_or_else(|| {
        let allowed = "{\"…\": …}".to_owned();
        wrong_field("metadata", Problem::Unknown { allowed })
    })
}

fn too_many(max_files: usize) -> Error {
    let max = i64::try_from(max_files).unwrap_or(i64::MAX);
    wrong_field("file", Problem::Range { min: 1, max })
}
