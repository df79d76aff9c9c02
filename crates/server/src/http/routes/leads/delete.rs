use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads;
use quipu_core::LeadId;
use quipu_core::removal::DeletionReceipt;

/// Delete a lead and everything of theirs. The answer counts what was removed.
#[utoipa::path(
    delete,
    path = "/api/v1/leads/{lead_id}",
    tag = "customers",
    operation_id = "delete_lead",
    params(("lead_id" = LeadId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(leads::delete(&state.app, &actor, id).await?))
}
