use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::events;
use quipu_core::EventEndpointId;

/// Tell an address nothing any more. What it was told and what waits for it goes with it.
#[utoipa::path(
    delete,
    path = "/api/v1/event-endpoints/{endpoint_id}",
    tag = "event-endpoints",
    operation_id = "delete_event_endpoint",
    params(("endpoint_id" = EventEndpointId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<EventEndpointId>,
) -> Result<StatusCode, ApiError> {
    events::delete(&state.app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
