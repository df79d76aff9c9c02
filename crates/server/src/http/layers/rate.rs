use axum::extract::Request;
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::Response;
use quipu_app::rate::RateState;
use std::sync::{Arc, OnceLock};

/// Where the extractor that counts a request leaves what the headers should say.
#[derive(Clone, Default)]
pub(crate) struct RateSlot(Arc<OnceLock<RateState>>);

impl RateSlot {
    pub(crate) fn fill(&self, state: RateState) {
        let _ = self.0.set(state);
    }
}

/// Tells the client where it stands, on answers and refusals alike.
pub(crate) async fn rate_headers(mut request: Request, next: Next) -> Response {
    let slot = RateSlot::default();
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    if let Some(state) = slot.0.get() {
        let headers = response.headers_mut();
        headers.insert("ratelimit-limit", HeaderValue::from(state.limit));
        headers.insert("ratelimit-remaining", HeaderValue::from(state.remaining));
        headers.insert("ratelimit-reset", HeaderValue::from(state.reset_seconds));
    }
    response
}
