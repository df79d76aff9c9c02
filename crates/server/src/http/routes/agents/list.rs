use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents;
use quipu_core::agent::Agent;
use quipu_core::page::Page;

/// The tenant's agents, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/agents",
    tag = "agents",
    operation_id = "list_agents",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Agent>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<Agent>>, ApiError> {
    Ok(Json(agents::list(&state.app, &actor, page).await?))
}
