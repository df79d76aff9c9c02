use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::searching::{NAMES, RagQuery, RagResult};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::search;

/// Search everything an agent may read in your chat with it.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/search",
    tag = "agents",
    operation_id = "search_agent",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
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
