use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::knowledge;
use quipu_core::DocumentId;

/// Delete a document with all its chunks.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/knowledge/{document_id}",
    tag = "knowledge",
    operation_id = "delete_agent_document",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, DocumentId)>,
) -> Result<StatusCode, ApiError> {
    knowledge::delete(&state.app, &actor, &agent, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
