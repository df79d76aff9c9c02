//! A tenant's own n8n: whether it answers customers, and what it says to them.

mod get;
mod put;
mod respond;
mod send;

use crate::http::AppState;
use axum::http::HeaderMap;
use quipu_core::{Error, ErrorCode};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::handler, put::handler))
        .routes(routes!(respond::handler))
        .routes(routes!(send::handler))
}

/// The secret by which n8n says whose it is.
pub(super) fn presented_secret(headers: &HeaderMap) -> Result<String, Error> {
    let value = headers.get("x-n8n-secret");
    let text = value.and_then(|value| value.to_str().ok());
    text.map(str::to_owned)
        .ok_or_else(|| Error::new(ErrorCode::Unauthenticated))
}
