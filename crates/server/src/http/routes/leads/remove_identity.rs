use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads;
use quipu_core::LeadId;
use quipu_core::lead::{Channel, Identity, Lead};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct IdentityParams {
    #[param(inline)]
    channel: Channel,
    /// What the channel knows them by.
    #[param(min_length = 1, max_length = 200)]
    external_id: String,
}

/// Forget how a channel knows a lead.
#[utoipa::path(
    delete,
    path = "/api/v1/leads/{lead_id}/identities",
    tag = "customers",
    operation_id = "remove_lead_identity",
    params(("lead_id" = LeadId, Path), IdentityParams),
    security(("bearer" = [])),
    responses((status = 200, body = Lead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LeadId>,
    Query(params): Query<IdentityParams>,
) -> Result<Json<Lead>, ApiError> {
    let identity = Identity {
        channel: params.channel,
        external_id: params.external_id,
    };
    let lead = leads::remove_identity(&state.app, &actor, id, &identity).await?;
    Ok(Json(lead))
}
