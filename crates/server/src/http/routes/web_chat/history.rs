use super::site::Site;
use crate::http::extract::{Json, Query, bearer};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use quipu_app::channels::web_chat::{self, WebChatHistory};
use quipu_core::{ConnectionId, MessageId};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryParams {
    /// Only what was said after this message. Messages that are written at the same time may become visible
    /// in another order than that of their ids, so that it is best one that is a few messages old.
    after: Option<MessageId>,
}

/// What was said in the conversation of a visitor, oldest first.
///
/// The latest fifty messages, or the first fifty after one that is known.
#[utoipa::path(
    get,
    path = "/api/web-chat/{connection_id}/messages",
    tag = "web-chat",
    operation_id = "read_web_chat",
    params(("connection_id" = ConnectionId, Path), HistoryParams),
    security(("site" = [], "visitor" = [])),
    responses((status = 200, body = WebChatHistory))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Site(chat): Site,
    Query(params): Query<HistoryParams>,
    headers: HeaderMap,
) -> Result<Json<WebChatHistory>, ApiError> {
    let chat = chat?;
    let visitor = chat.visitor(bearer(&headers), state.app.now())?;
    let history = web_chat::history(&state.app, &chat, &visitor, params.after).await?;
    Ok(Json(history))
}
