use axum::extract::Request;
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

const HEADER: &str = "x-request-id";

/// The id by which a request is found in logs, audit entries and error bodies.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// Takes the client's `X-Request-Id` when it is harmless, else makes one, and opens the span that
/// everything logged on behalf of the request belongs to.
pub(crate) async fn request_id(mut request: Request, next: Next) -> Response {
    let id = request
        .headers()
        .get(HEADER)
        .and_then(|value| value.to_str().ok())
        .filter(|text| (1..=64).contains(&text.len()))
        .filter(|text| {
            text.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        })
        .map_or_else(|| uuid::Uuid::now_v7().to_string(), str::to_owned);
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!("request", request.id = %id, method = %request.method());
    let mut response = next.run(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
