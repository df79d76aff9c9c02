//! Keeps strange pages in the same browser from playing with the stand-ins.
//!
//! Nobody signs in here, so a page from anywhere could make a browser send requests to this machine and
//! these stand-ins send them on. A browser says where a page is from, and whom it believes to speak to.

use super::ApiError;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

pub(super) async fn only_own_pages(request: Request, next: Next) -> Response {
    if is_own(request.headers()) {
        return next.run(request).await;
    }
    let message = "only the page of the simulator itself and programs may ask for this".to_owned();
    let status = 403;
    ApiError { status, message }.into_response()
}

fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text("host").unwrap_or_default();
    let same_site =
        text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let same_origin = text("origin").is_none_or(|origin| {
        origin
            .split_once("://")
            .is_some_and(|(_, authority)| authority == host)
    });
    same_site && same_origin && is_near(host)
}

/// An address, or a name that no stranger can own: it has no point in it.
fn is_near(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let name = name.trim_end_matches('.');
    name.parse::<IpAddr>().is_ok()
        || (!name.is_empty() && !name.contains('.'))
        || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn own(headers: &[(&'static str, &'static str)]) -> bool {
        let pairs = headers.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        });
        is_own(&pairs.collect())
    }

    #[test]
    fn pages_from_elsewhere_are_kept_out() {
        let host = ("host", "127.0.0.1:4000");
        assert!(own(&[host]));
        assert!(own(&[
            host,
            ("origin", "http://127.0.0.1:4000"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(own(&[("host", "localhost:4000")]));
        assert!(own(&[("host", "simulator:4000")]));
        assert!(own(&[("host", "[::1]:4000")]));
        assert!(!own(&[host, ("origin", "http://evil.example")]));
        assert!(!own(&[host, ("origin", "null")]));
        assert!(!own(&[host, ("origin", "http://127.0.0.1:5000")]));
        assert!(!own(&[host, ("sec-fetch-site", "cross-site")]));
        assert!(!own(&[
            ("host", "rebound.example:4000"),
            ("origin", "http://rebound.example:4000")
        ]));
        assert!(!own(&[]));
    }
}
