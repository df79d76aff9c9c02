use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::{self, OutboundQuery};
use quipu_core::channel::{DeliveryState, OutboundRecord};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ConnectionId, ConversationId};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct SentParams {
    /// Only what went through this connection.
    connection_id: Option<ConnectionId>,
    /// Only what belongs to this conversation.
    conversation_id: Option<ConversationId>,
    #[param(inline)]
    state: Option<DeliveryState>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What was sent over channels and how far it came, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/channel-messages",
    tag = "channels",
    operation_id = "list_channel_messages",
    params(SentParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<OutboundRecord>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<SentParams>,
) -> Result<Json<Page<OutboundRecord>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let query = OutboundQuery {
        connection: params.connection_id,
        conversation: params.conversation_id,
        state: params.state,
    };
    let sent = channels::outbound(&state.app, &actor, query, page).await?;
    Ok(Json(sent))
}
