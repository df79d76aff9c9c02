use crate::http::extract::{InTenant, Json, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns;
use quipu_core::ConversationId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::turn::TurnSummary;
use quipu_store::tenant::TurnFilter;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnParams {
    conversation_id: Option<ConversationId>,
    /// Only those in which something was out of order, or only the others.
    degraded: Option<bool>,
    /// Who answered, such as `builtin`.
    #[param(max_length = 200)]
    responder: Option<String>,
    /// Which of the ways that are compared.
    #[param(max_length = 60)]
    variant: Option<String>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The turns of an agent, newest first. Those of customers need `customers:read`.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/turns",
    tag = "turns",
    operation_id = "list_turns",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), TurnParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<TurnSummary>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<TurnParams>,
) -> Result<Json<Page<TurnSummary>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let filter = TurnFilter {
        agent: None,
        conversation: params.conversation_id,
        degraded: params.degraded,
        responder: params.responder,
        variant: params.variant,
    };
    let found = turns::list(&state.app, &actor, &agent, filter, page).await?;
    Ok(Json(found))
}
