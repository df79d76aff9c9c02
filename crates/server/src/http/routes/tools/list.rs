use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tools::{self, ToolDescription};

/// The tools that an agent has, with the JSON schema of what each takes.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/tools",
    tag = "tools",
    operation_id = "list_tools",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = Vec<ToolDescription>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<Vec<ToolDescription>>, ApiError> {
    Ok(Json(tools::list(&state.app, &actor, &agent).await?))
}
