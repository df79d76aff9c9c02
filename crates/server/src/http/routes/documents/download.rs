use crate::http::extract::{InTenant, Path};
use crate::http::layers::AsStored;
use crate::http::{ApiError, AppState};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::IntoResponse;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quipu_app::documents;
use quipu_core::{DocumentId, KnowledgeBaseId};

/// The document as it was added.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/download",
    tag = "knowledge",
    operation_id = "download_document",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, description = "The file, of whatever type it is", content_type = "*/*"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
) -> Result<impl IntoResponse, ApiError> {
    let file = documents::download(&state.app, &actor, kb, id).await?;
    Ok((
        [
            (CONTENT_TYPE, file.content_type.to_owned()),
            (CONTENT_LENGTH, file.size.to_string()),
            (CONTENT_DISPOSITION, attachment(&file.filename)),
        ],
        Extension(AsStored),
        Body::from_stream(file.body),
    ))
}

/// What RFC 5987 lets stand unescaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A header by which browsers save the answer under this name and never show it: what people
/// upload must not run as a page of ours.
pub(in crate::http::routes) fn attachment(filename: &str) -> String {
    let plain: String = filename
        .chars()
        .map(|c| match c {
            '"' | '\\' | '%' => '_',
            ' '..='~' => c,
            _ => '_',
        })
        .collect();
    let exact = utf8_percent_encode(filename, ESCAPED);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_twice_and_cannot_leave_their_quotes() {
        assert_eq!(
            attachment("carta.pdf"),
            "attachment; filename=\"carta.pdf\"; filename*=UTF-8''carta.pdf"
        );
        assert_eq!(
            attachment("Menú \"del día\"; x=1\r\n.pdf"),
            "attachment; filename=\"Men_ _del d_a_; x=1__.pdf\"; \
             filename*=UTF-8''Men%C3%BA%20%22del%20d%C3%ADa%22%3B%20x%3D1%0D%0A.pdf"
        );
    }
}
