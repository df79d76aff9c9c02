use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::searching::{NAMES, RagQuery, RagResult};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::search;

/// Search everything an agent may read in your chat with it.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent_id}/search",
    tag = "agents",
    operation_id = "search_agent",
    params(("agent_id" = String, Path, description = "Id or slug")),
    request_body = RagQuery,
    security(("bearer" = [])),
    responses((status = 200, body = RagResult))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(query): Json<RagQuery>,
) -> Result<Json<RagResult>, ApiError> {
    let input = query.into_input();
    let (_, searched) = search::search(&state.app, &actor, &agent, &input, NAMES).await?;
    Ok(Json(searched.into()))
}
