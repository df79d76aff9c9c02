use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads;
use quipu_core::LeadId;
use quipu_core::lead::Lead;

/// One lead.
#[utoipa::path(
    get,
    path = "/api/v1/leads/{lead_id}",
    tag = "customers",
    operation_id = "get_lead",
    params(("lead_id" = LeadId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Lead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
) -> Result<Json<Lead>, ApiError> {
    Ok(Json(leads::get(&state.app, &actor, id).await?))
}
