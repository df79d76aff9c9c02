use crate::http::extract::{InTenant, Json, Paging, PagingParams, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads;
use quipu_core::LeadId;
use quipu_core::lead::TemperatureChange;
use quipu_core::page::Page;

/// How close a lead was to buying, each time that changed, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/leads/{lead_id}/temperature-history",
    tag = "customers",
    operation_id = "list_temperature_changes",
    params(("lead_id" = LeadId, Path, description = "The lead's id"), PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<TemperatureChange>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
    Paging(page): Paging,
) -> Result<Json<Page<TemperatureChange>>, ApiError> {
    let found = leads::temperature_history(&state.app, &actor, id, page).await?;
    Ok(Json(found))
}
