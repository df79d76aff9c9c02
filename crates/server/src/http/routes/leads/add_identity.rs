use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::leads;
use quipu_core::LeadId;
use quipu_core::lead::{Identity, Lead};

/// Note how a channel knows a lead.
///
/// One identity is one lead: whoever the channel knows so already keeps it, and the refusal does not
/// say who that is.
#[utoipa::path(
    post,
    path = "/api/v1/leads/{lead_id}/identities",
    tag = "customers",
    operation_id = "add_lead_identity",
    params(("lead_id" = LeadId, Path)),
    request_body = Identity,
    security(("bearer" = [])),
    responses((status = 201, body = Lead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
    Json(identity): Json<Identity>,
) -> Result<(StatusCode, Json<Lead>), ApiError> {
    let lead = leads::add_identity(&state.app, &actor, id, &identity).await?;
    Ok((StatusCode::CREATED, Json(lead)))
}
