use crate::http::error::ErrorBody;
use crate::http::extract::Path;
use crate::http::routes::openai::completions::{self, Chunk, Completion};
use crate::http::routes::webhooks::{MOST_BYTES, vouched};
use crate::http::{ApiError, AppState};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use quipu_app::channels::voice;
use quipu_core::{ConnectionId, Error, ErrorCode};

/// The next words of a call, which Vapi asks for as programs ask a model of OpenAI.
///
/// Whoever calls is a customer by their number. The last words of theirs are new; what was said before is
/// remembered, so that the rest of `messages` is passed over. The same words at the same place of the same call
/// are answered with what was said before.
#[utoipa::path(
    post,
    path = "/api/voice/{connection_id}/chat/completions",
    tag = "webhooks",
    operation_id = "speak_in_call",
    params(("connection_id" = ConnectionId, Path)),
    request_body(content = Object, description = "As Vapi writes it, with `call` and the secret of the connection"),
    security(),
    responses(
        (status = 200, description = "The answer", content(
            (Completion = "application/json"), (Chunk = "text/event-stream"),
        )),
        (status = 401, description = "Not Vapi", body = ErrorBody)
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Path(id): Path<ConnectionId>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let body =
        body.map_err(|_| Error::new(ErrorCode::BodyTooLarge).with("max_bytes", MOST_BYTES))?;
    let turn = voice::turn(&state.app, id, &vouched(&headers), &body).await?;
    completions::of_call(&state, turn).await
}
