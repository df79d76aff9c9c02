use super::filter::Wanted;
use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents::{self, DocumentIds, MOST_IDS};
use quipu_core::format::Format;
use quipu_core::knowledge::{DocumentSource, DocumentStatus};
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct IdsParams {
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
    /// Entries per page.
    #[param(minimum = 1, maximum = 4000, default = 1000)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// Which documents a filter means and how many they are, for whoever does something with all of them.
#[utoipa::path(
    get,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/ids",
    tag = "knowledge",
    operation_id = "list_document_ids",
    params(("kb_id" = KnowledgeBaseId, Path), IdsParams),
    security(("bearer" = [])),
    responses((status = 200, body = DocumentIds))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Query(params): Query<IdsParams>,
) -> Result<Json<DocumentIds>, ApiError> {
    let limit = params.limit.unwrap_or(1_000);
    let mut checks = Checks::new();
    let (given, most) = (i64::try_from(limit), i64::try_from(MOST_IDS));
    checks.range(
        "limit",
        given.unwrap_or(i64::MAX),
        1,
        most.unwrap_or(i64::MAX),
    );
    checks.finish()?;
    let after = params.cursor.as_deref().map(str::parse).transpose();
    let after = after.map_err(|_| Error::new(ErrorCode::InvalidCursor))?;
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
        documents::ids(&state.app, &actor, kb, &filter, after, limit).await?,
    ))
}
