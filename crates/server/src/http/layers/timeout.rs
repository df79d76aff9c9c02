use crate::http::ApiError;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quipu_core::{Error, ErrorCode};
use std::time::Duration;

/// Stops a request that takes too long. Its transaction is dropped, and with it what it had
/// written.
pub(crate) async fn timeout(
    State(limit): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError(Error::new(ErrorCode::Timeout).retry_after(1)).into_response(),
    }
}
