use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// The method as a label. A client can invent methods, and labels are kept for good.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Counts and times requests by route, never by what was in the path: ids stay out of metrics.
pub(crate) async fn measure(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known(request.method());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let elapsed = started.elapsed();
    metrics::counter!(
        "quipu_http_requests_total",
        "route" => route.clone(), "method" => method, "status" => status.to_string()
    )
    .increment(1);
    metrics::histogram!("quipu_http_request_seconds", "route" => route.clone()).record(elapsed);
    tracing::debug!(http.route = %route, http.status = status, ?elapsed, "{method} {route} → {status}");
    response
}
