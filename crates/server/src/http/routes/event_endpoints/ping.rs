use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events;
use quipu_core::EventEndpointId;
use quipu_core::event::EventDelivery;

/// Try an address: a `ping` is sent to it. What came of that is among its deliveries a moment later.
#[utoipa::path(
    post,
    path = "/api/v1/event-endpoints/{endpoint_id}/test",
    tag = "event-endpoints",
    operation_id = "test_event_endpoint",
    params(("endpoint_id" = EventEndpointId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = EventDelivery))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<EventEndpointId>,
) -> Result<Json<EventDelivery>, ApiError> {
    Ok(Json(events::ping(&state.app, &actor, id).await?))
}
