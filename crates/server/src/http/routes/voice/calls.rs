use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::voice::{self, VoiceCallQuery};
use quipu_core::channel::VoiceCallRecord;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ConnectionId, ConversationId};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct CallParams {
    /// Only calls of this connection.
    connection_id: Option<ConnectionId>,
    /// Only calls that belong to this conversation.
    conversation_id: Option<ConversationId>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// Telephone calls that have ended, newest first: how long they were, what was said and what they cost.
#[utoipa::path(
    get,
    path = "/api/v1/voice-calls",
    tag = "channels",
    operation_id = "list_voice_calls",
    params(CallParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<VoiceCallRecord>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<CallParams>,
) -> Result<Json<Page<VoiceCallRecord>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let query = VoiceCallQuery {
        connection: params.connection_id,
        conversation: params.conversation_id,
    };
    let calls = voice::calls(&state.app, &actor, query, page).await?;
    Ok(Json(calls))
}
