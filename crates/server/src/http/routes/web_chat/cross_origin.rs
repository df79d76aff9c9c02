//! Who may read the answers: pages of the sites that the connection names, and no others.

use super::site::Site;
use crate::http::ApiError;
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, OnceLock};

/// Where the extractor that opens a chat leaves the origin that may read the answer, whatever it is.
#[derive(Clone, Default)]
pub(super) struct OriginSlot(Arc<OnceLock<HeaderValue>>);

impl OriginSlot {
    pub(super) fn fill(&self, origin: HeaderValue) {
        let _ = self.0.set(origin);
    }
}

/// Lets the page that asked read the answer, refusals included, where its site may show the chat. No
/// credentials of a browser are taken along.
pub(super) async fn share(mut request: Request, next: Next) -> Response {
    let slot = OriginSlot::default();
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = slot.0.get() {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        let shown = HeaderValue::from_static("retry-after, x-request-id");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, shown);
        let anywhere = HeaderValue::from_static("cross-origin");
        headers.insert("cross-origin-resource-policy", anywhere);
    }
    response
}

/// The question of a browser what a page of another origin may send.
pub(super) async fn preflight(Site(chat): Site) -> Result<Response, ApiError> {
    chat?;
    let allowed = [
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "accept-language, authorization, content-type, idempotency-key",
        ),
        (ACCESS_CONTROL_MAX_AGE, "7200"),
    ];
    Ok((StatusCode::NO_CONTENT, allowed).into_response())
}
