use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge;
use quipu_core::DocumentId;
use quipu_core::knowledge::Document;

/// One document.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/knowledge/{document_id}",
    tag = "knowledge",
    operation_id = "get_agent_document",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("document_id" = DocumentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Document))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, id)): Path<(String, DocumentId)>,
) -> Result<Json<Document>, ApiError> {
    Ok(Json(knowledge::get(&state.app, &actor, &agent, id).await?))
}
