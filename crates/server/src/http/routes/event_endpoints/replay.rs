use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events;
use quipu_core::event::EventDelivery;
use quipu_core::{EventDeliveryId, EventEndpointId};

/// Send something again, whatever came of it, under the same `webhook-id`.
#[utoipa::path(
    post,
    path = "/api/v1/event-endpoints/{endpoint_id}/deliveries/{delivery_id}/replay",
    tag = "event-endpoints",
    operation_id = "replay_event_delivery",
    params(
        ("endpoint_id" = EventEndpointId, Path),
        ("delivery_id" = EventDeliveryId, Path)
    ),
    security(("bearer" = [])),
    responses((status = 200, body = EventDelivery))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((endpoint, id)): Path<(EventEndpointId, EventDeliveryId)>,
) -> Result<Json<EventDelivery>, ApiError> {
    let delivery = events::replay(&state.app, &actor, endpoint, id).await?;
    Ok(Json(delivery))
}
