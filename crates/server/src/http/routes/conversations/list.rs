use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::conversations;
use quipu_core::conversation::{
    ConversationFilter, ConversationOrder, ConversationRow, ConversationStatus, HandoffMode,
};
use quipu_core::lead::Channel;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, LeadId};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversationsParams {
    /// Part of the customer's name, e-mail address or telephone number.
    #[param(min_length = 1, max_length = 200)]
    q: Option<String>,
    lead_id: Option<LeadId>,
    agent_id: Option<AgentId>,
    /// Who answers.
    #[param(inline)]
    handoff: Option<HandoffMode>,
    #[param(inline)]
    status: Option<ConversationStatus>,
    #[param(inline)]
    channel: Option<Channel>,
    /// Which come first: `newest`, those that began last, unless `activity` is asked for, those in which
    /// something was said last.
    #[param(inline)]
    sort: Option<ConversationOrder>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's conversations, newest first, each with its customer and what was said last.
#[utoipa::path(
    get,
    path = "/api/v1/conversations",
    tag = "customers",
    operation_id = "list_conversations",
    params(ConversationsParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<ConversationRow>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<ConversationsParams>,
) -> Result<Json<Page<ConversationRow>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let filter = ConversationFilter {
        text: params.q,
        lead_id: params.lead_id,
        agent_id: params.agent_id,
        mode: params.handoff,
        status: params.status,
        channel: params.channel,
        order: params.sort.unwrap_or_default(),
    };
    let found = conversations::list(&state.app, &actor, filter, page).await?;
    Ok(Json(found))
}
