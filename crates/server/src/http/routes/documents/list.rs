use super::filter::Wanted;
use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::KnowledgeBaseId;
use quipu_core::format::Format;
use quipu_core::knowledge::{Document, DocumentSort, DocumentSource, DocumentStatus};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentsParams {
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
    #[param(inline)]
    sort: Option<DocumentSort>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before, which must have been sorted alike.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The documents of a knowledge base, newest first unless sorted otherwise.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents",
    tag = "knowledge",
    operation_id = "list_documents",
    params(("kb_id" = KnowledgeBaseId, Path), DocumentsParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Document>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Query(params): Query<DocumentsParams>,
) -> Result<Json<Page<Document>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let sort = params.sort.unwrap_or_default();
    let wanted = Wanted {
        status: params.status,
        source: params.source,
        file_type: params.file_type,
        category: params.category,
        tag: params.tag,
        enabled: params.enabled,
        q: params.q,
    };
    let filter = wanted.checked()?;
    Ok(Json(
        documents::list(&state.app, &actor, kb, &filter, sort, page).await?,
    ))
}
