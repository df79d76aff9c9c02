use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events;
use quipu_core::event::EventEndpoint;
use quipu_core::page::Page;

/// The addresses that are told what happens, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/event-endpoints",
    tag = "event-endpoints",
    operation_id = "list_event_endpoints",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<EventEndpoint>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<EventEndpoint>>, ApiError> {
    Ok(Json(events::list(&state.app, &actor, page).await?))
}
