use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents::{self, ChunkPage};
use quipu_core::page::PageRequest;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ChunksParams {
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before: the number of the first chunk wanted.
    #[param(pattern = "^[0-9]{1,9}$")]
    cursor: Option<String>,
}

/// The chunks a document was cut into, in their order.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/chunks",
    tag = "knowledge",
    operation_id = "list_document_chunks",
    params(("kb_id" = KnowledgeBaseId, Path), ("document_id" = DocumentId, Path), ChunksParams),
    security(("bearer" = [])),
    responses((status = 200, body = ChunkPage))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((kb, id)): Path<(KnowledgeBaseId, DocumentId)>,
    Query(params): Query<ChunksParams>,
) -> Result<Json<ChunkPage>, ApiError> {
    let limit = PageRequest::parse(params.limit, None)?.limit;
    let from = params.cursor.as_deref().map_or(Ok(0), number)?;
    Ok(Json(
        documents::chunks(&state.app, &actor, kb, id, from, limit).await?,
    ))
}

fn number(cursor: &str) -> Result<i32> {
    let digits = (1..=9).contains(&cursor.len()) && cursor.bytes().all(|b| b.is_ascii_digit());
    let number = cursor.parse().ok().filter(|_| digits);
    number.ok_or_else(|| Error::new(ErrorCode::InvalidCursor))
}
