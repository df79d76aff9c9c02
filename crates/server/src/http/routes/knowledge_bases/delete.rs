use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases;
use quipu_core::KnowledgeBaseId;
use quipu_core::removal::DeletionReceipt;

/// Delete a knowledge base with everything in it. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/knowledge-bases/{kb_id}",
    tag = "knowledge",
    operation_id = "delete_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(knowledge_bases::delete(&state.app, &actor, kb).await?))
}
