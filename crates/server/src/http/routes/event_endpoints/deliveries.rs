use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::events;
use quipu_core::EventEndpointId;
use quipu_core::event::{EventDelivery, EventDeliveryState};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct DeliveryParams {
    /// Only those that have come so far.
    #[param(inline)]
    state: Option<EventDeliveryState>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What an address was told and is to be told, and what it answered, newest first. It is kept for as long as
/// finished jobs are.
#[utoipa::path(
    get,
    path = "/api/v1/event-endpoints/{endpoint_id}/deliveries",
    tag = "event-endpoints",
    operation_id = "list_event_deliveries",
    params(("endpoint_id" = EventEndpointId, Path), DeliveryParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<EventDelivery>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<EventEndpointId>,
    Query(params): Query<DeliveryParams>,
) -> Result<Json<Page<EventDelivery>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let listed = events::list_deliveries(&state.app, &actor, id, params.state, page).await?;
    Ok(Json(listed))
}
