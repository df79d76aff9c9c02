use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads::{self, MergeLead};
use quipu_core::LeadId;
use quipu_core::lead_merge::MergedLead;

/// Join a lead with another who is the same person.
///
/// Everything of the other becomes that of this lead, in one transaction, and the other is gone:
/// identities, conversations with their messages and files, appointments, orders, the ledger of tokens
/// in the order of time, redemptions and invoice requests. What this lead does not have (name, e-mail
/// address, telephone number, temperature, agent, branch) comes from the other, and so does what `take`
/// names; tags and notes are those of both. Asking again for what was done answers the same.
#[utoipa::path(
    post,
    path = "/api/v1/leads/{lead_id}/merge",
    tag = "customers",
    operation_id = "merge_leads",
    params(("lead_id" = LeadId, Path, description = "The lead who stays")),
    request_body = MergeLead,
    security(("bearer" = [])),
    responses((status = 200, body = MergedLead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
    Json(input): Json<MergeLead>,
) -> Result<Json<MergedLead>, ApiError> {
    Ok(Json(leads::merge(&state.app, &actor, id, input).await?))
}
