use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::documents;
use quipu_core::removal::DeletionReceipt;
use quipu_core::{DocumentId, KnowledgeBaseId};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteDocuments {
    #[schema(min_items = 1, max_items = 1000)]
    document_ids: Vec<DocumentId>,
}

/// Delete many documents. Those that are not there are not missed; the answer counts what was
/// removed.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/documents/delete",
    tag = "knowledge",
    operation_id = "delete_documents",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = DeleteDocuments,
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<DeleteDocuments>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(
        documents::delete_many(&state.app, &actor, kb, input.document_ids).await?,
    ))
}
