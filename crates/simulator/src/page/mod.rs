//! The page on which anybody can write as a customer.

use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

/// Images of the business lie at its own addresses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' blob: data: http: https:; media-src 'self' blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) async fn entry() -> Response {
    asset(include_str!("index.html"), "text/html; charset=utf-8")
}

pub(crate) async fn script() -> Response {
    asset(include_str!("app.js"), "text/javascript; charset=utf-8")
}

pub(crate) async fn words() -> Response {
    asset(include_str!("words.js"), "text/javascript; charset=utf-8")
}

pub(crate) async fn phone() -> Response {
    asset(include_str!("phone.js"), "text/javascript; charset=utf-8")
}

pub(crate) async fn style() -> Response {
    asset(include_str!("style.css"), "text/css; charset=utf-8")
}

fn asset(content: &'static str, kind: &'static str) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
