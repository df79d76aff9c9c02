use crate::http::extract::{InTenant, Json, Query, wrong_field};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::leads;
use quipu_core::AgentId;
use quipu_core::lead::{Channel, Identity, Lead, LeadFilter, Temperature};
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::Problem;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct LeadsParams {
    /// Part of the name, the e-mail address or the telephone number.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
    #[param(inline)]
    temperature: Option<Temperature>,
    agent_id: Option<AgentId>,
    /// Where somebody writes from, together with `external_id`.
    #[param(inline)]
    channel: Option<Channel>,
    /// What the channel knows them by.
    #[param(min_length = 1, max_length = 200)]
    external_id: Option<String>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's leads, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/leads",
    tag = "customers",
    operation_id = "list_leads",
    params(LeadsParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Lead>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<LeadsParams>,
) -> Result<Json<Page<Lead>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let identity = match (params.channel, params.external_id) {
        (Some(channel), Some(external_id)) => Some(Identity {
            channel,
            external_id,
        }),
        (None, None) => None,
        (None, Some(_)) => return Err(wrong_field("channel", Problem::Empty).into()),
        (Some(_), None) => return Err(wrong_field("external_id", Problem::Empty).into()),
    };
    let filter = LeadFilter {
        text: params.q,
        temperature: params.temperature,
        agent_id: params.agent_id,
        identity,
    };
    Ok(Json(leads::list(&state.app, &actor, filter, page).await?))
}
