use super::download::attachment;
use super::filter::Wanted;
use crate::http::extract::{InTenant, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use quipu_app::documents::{self, ExportFormat};
use quipu_core::KnowledgeBaseId;
use quipu_core::format::Format;
use quipu_core::knowledge::{Document, DocumentSource, DocumentStatus};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportParams {
    /// `csv` unless asked otherwise.
    #[param(inline)]
    format: Option<ExportFormat>,
    #[param(inline)]
    status: Option<DocumentStatus>,
    #[param(inline)]
    source: Option<DocumentSource>,
    #[param(inline)]
    file_type: Option<Format>,
    #[param(min_length = 1, max_length = 100)]
    category: Option<String>,
    #[param(min_length = 1, max_length = 50)]
    tag: Option<String>,
    enabled: Option<bool>,
    /// Part of the title or of the file's name.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
}

/// The list of documents as a file.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/export",
    tag = "knowledge",
    operation_id = "export_documents",
    params(("kb_id" = KnowledgeBaseId, Path), ExportParams),
    security(("bearer" = [])),
    responses((status = 200, description = "The file", content(
        (String = "text/csv"), (Vec<Document> = "application/json"),
    )))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Query(params): Query<ExportParams>,
) -> Result<impl IntoResponse, ApiError> {
    let format = params.format.unwrap_or_default();
    let wanted = Wanted {
        status: params.status,
        source: params.source,
        file_type: params.file_type,
        category: params.category,
        tag: params.tag,
        enabled: params.enabled,
        q: params.q,
    };
    let list = documents::export(&state.app, &actor, kb, &wanted.checked()?, format).await?;
    let (kind, name) = match format {
        ExportFormat::Csv => ("text/csv; charset=utf-8", "documentos.csv"),
        ExportFormat::Json => ("application/json", "documentos.json"),
    };
    Ok((
        [
            (CONTENT_TYPE, kind.to_owned()),
            (CONTENT_DISPOSITION, attachment(name)),
        ],
        list,
    ))
}
