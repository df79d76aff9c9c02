use super::read;
use super::site::Site;
use super::speaking::{Speaking, SpokenWords, WebChatEvent, stream};
use crate::http::extract::{ClientAddress, Headers, Json, bearer};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quipu_app::channels::web_chat::{SayInWebChat, WebChatTurn};
use quipu_core::ConnectionId;

/// Say something as a visitor.
///
/// Streams `delta` events (`{"text"}`), sentence by sentence, then one `done` event. While a person answers
/// there is no text: what they write is among the messages of the conversation.
#[utoipa::path(
    post,
    path = "/api/web-chat/{connection_id}/messages",
    tag = "web-chat",
    operation_id = "say_in_web_chat",
    params(
        ("connection_id" = ConnectionId, Path),
        (
            "Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 200,
            pattern = "^[A-Za-z0-9._-]+$",
            description = "A text of your choice, such as a UUID. What is sent again with the same key is stored once."
        ),
    ),
    request_body = SayInWebChat,
    security(("site" = [], "visitor" = [])),
    responses(
        (status = 200, description = "The answer", body = WebChatEvent, content_type = "text/event-stream")
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Site(chat): Site,
    ClientAddress(address): ClientAddress,
    Headers { request, .. }: Headers,
    headers: HeaderMap,
    body: Result<Json<SayInWebChat>, ApiError>,
) -> Result<Response, ApiError> {
    let input = read(body)?;
    let chat = chat?;
    let visitor = chat.visitor(bearer(&headers), state.app.now())?;
    let turn = WebChatTurn {
        address,
        request_id: request.request_id,
        key: request.idempotency_key,
    };
    let language = chat.language();
    let mut speaking = Speaking::begin(&state, chat, visitor, input, turn);
    // What is wrong with the message is told with a status of its own, before the stream begins.
    let first = speaking.next().await;
    if let Some(SpokenWords::Failed(error)) = first {
        return Err(error.into());
    }
    Ok(stream(first, speaking, language))
}
