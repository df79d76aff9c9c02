use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads::{self, UpdateLead};
use quipu_core::LeadId;
use quipu_core::lead::Lead;

/// Change a lead. What is left out stays as it is; what is null is emptied.
#[utoipa::path(
    patch,
    path = "/api/v1/leads/{lead_id}",
    tag = "customers",
    operation_id = "update_lead",
    params(("lead_id" = LeadId, Path)),
    request_body = UpdateLead,
    security(("bearer" = [])),
    responses((status = 200, body = Lead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
    Json(input): Json<UpdateLead>,
) -> Result<Json<Lead>, ApiError> {
    Ok(Json(leads::update(&state.app, &actor, id, input).await?))
}
