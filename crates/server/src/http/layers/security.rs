use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Duration;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Headers that keep a browser from being used against us. The documentation page needs its own
/// scripts and inline styles, and pages bring a policy of their own; nothing needs more.
pub(crate) async fn security_headers(request: Request, next: Next) -> Response {
    let docs = request.uri().path().starts_with("/docs");
    let mut response = next.run(request).await;
    let policy = if docs {
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    } else {
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    };
    let headers = response.headers_mut();
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(policy));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        (
            "permissions-policy",
            "camera=(), microphone=(), geolocation=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What is made for other sites says so itself.
    headers
        .entry("cross-origin-resource-policy")
        .or_insert(HeaderValue::from_static("same-origin"));
    if !docs {
        // Answers are somebody's data: no cache on the way keeps them.
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

/// Other origins may call the API only when the configuration names them.
pub(crate) fn cors(origins: &[String]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
    let allowed = origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(allowed))
        .allow_credentials(true)
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT_LANGUAGE,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("x-quipu-conversation"),
            HeaderName::from_static("x-quipu-lead"),
            HeaderName::from_static("x-quipu-tenant"),
            HeaderName::from_static("x-request-id"),
        ])
        .expose_headers([
            header::RETRY_AFTER,
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("ratelimit-limit"),
            HeaderName::from_static("ratelimit-remaining"),
            HeaderName::from_static("ratelimit-reset"),
        ])
        .max_age(Duration::from_mins(10));
    Some(layer)
}
