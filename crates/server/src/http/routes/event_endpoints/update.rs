use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events::{self, UpdateEventEndpoint};
use quipu_core::EventEndpointId;
use quipu_core::event::EventEndpoint;

/// Change where events are posted to, which, or whether any are.
#[utoipa::path(
    patch,
    path = "/api/v1/event-endpoints/{endpoint_id}",
    tag = "event-endpoints",
    operation_id = "update_event_endpoint",
    params(("endpoint_id" = EventEndpointId, Path)),
    request_body = UpdateEventEndpoint,
    security(("bearer" = [])),
    responses((status = 200, body = EventEndpoint))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<EventEndpointId>,
    Json(input): Json<UpdateEventEndpoint>,
) -> Result<Json<EventEndpoint>, ApiError> {
    Ok(Json(events::update(&state.app, &actor, id, input).await?))
}
