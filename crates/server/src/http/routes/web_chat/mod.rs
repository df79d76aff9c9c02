//! The chat on the sites of businesses: what their pages, which are of other origins, ask for.

mod cross_origin;
mod history;
mod say;
mod session;
mod site;
mod speaking;

use crate::http::extract::Json;
use crate::http::{ApiError, AppState};
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::options;
use quipu_core::ErrorCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What a visitor sends is small.
const MOST_BYTES: usize = 16 * 1024;

pub(super) fn router() -> OpenApiRouter<AppState> {
    let session = "/api/web-chat/{connection_id}/session";
    let messages = "/api/web-chat/{connection_id}/messages";
    OpenApiRouter::new()
        .routes(routes!(session::handler))
        .routes(routes!(say::handler, history::handler))
        .route(session, options(cross_origin::preflight))
        .route(messages, options(cross_origin::preflight))
        .layer(from_fn(cross_origin::share))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// A body that was read, or why it was not.
fn read<T>(body: Result<Json<T>, ApiError>) -> Result<T, ApiError> {
    match body {
        Ok(Json(input)) => Ok(input),
        Err(ApiError(error)) if error.code() == ErrorCode::BodyTooLarge => {
            Err(error.with("max_bytes", MOST_BYTES).into())
        }
        Err(error) => Err(error),
    }
}
