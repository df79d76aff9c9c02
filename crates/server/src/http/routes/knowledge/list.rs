use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge;
use quipu_core::knowledge::Document;
use quipu_core::page::Page;

/// What the agent knows, one entry per document, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/knowledge",
    tag = "knowledge",
    operation_id = "list_agent_knowledge",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Document>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Paging(page): Paging,
) -> Result<Json<Page<Document>>, ApiError> {
    Ok(Json(
        knowledge::list(&state.app, &actor, &agent, page).await?,
    ))
}
