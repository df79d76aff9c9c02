use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;
use quipu_core::removal::DeletionReceipt;

/// Delete an agent, its knowledge base and everything in it. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}",
    tag = "agents",
    operation_id = "delete_agent",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(agents::delete(&state.app, &actor, &agent).await?))
}
