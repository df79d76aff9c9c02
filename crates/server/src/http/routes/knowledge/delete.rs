use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge;
use quipu_core::DocumentId;
use quipu_core::removal::DeletionReceipt;

/// Delete a document with all that was made of it. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/knowledge/{document_id}",
    tag = "knowledge",
    operation_id = "delete_agent_document",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, DocumentId)>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(
        knowledge::delete(&state.app, &actor, &agent, id).await?,
    ))
}
