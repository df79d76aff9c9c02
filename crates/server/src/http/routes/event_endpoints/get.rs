use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events;
use quipu_core::EventEndpointId;
use quipu_core::event::EventEndpoint;

/// An address that is told what happens, and whether it takes it.
#[utoipa::path(
    get,
    path = "/api/v1/event-endpoints/{endpoint_id}",
    tag = "event-endpoints",
    operation_id = "get_event_endpoint",
    params(("endpoint_id" = EventEndpointId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = EventEndpoint))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<EventEndpointId>,
) -> Result<Json<EventEndpoint>, ApiError> {
    Ok(Json(events::get(&state.app, &actor, id).await?))
}
