use super::read;
use super::site::Site;
use crate::http::extract::Json;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::channels::web_chat::{self, OpenWebChat, WebChatSession};
use quipu_core::ConnectionId;

/// Begin the session of a visitor, or go on with one.
///
/// For pages of the sites that the connection allows: it takes no key, and the `Origin` that browsers send.
#[utoipa::path(
    post,
    path = "/api/web-chat/{connection_id}/session",
    tag = "web-chat",
    operation_id = "open_web_chat",
    params(("connection_id" = ConnectionId, Path)),
    request_body = OpenWebChat,
    security(("site" = [])),
    responses((status = 200, body = WebChatSession))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Site(chat): Site,
    body: Result<Json<OpenWebChat>, ApiError>,
) -> Result<Json<WebChatSession>, ApiError> {
    let input = read(body)?;
    let session = web_chat::begin(&state.app, &chat?, &input).await?;
    Ok(Json(session))
}
