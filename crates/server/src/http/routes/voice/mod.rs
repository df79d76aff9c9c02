//! Telephone calls: the words that Vapi asks for, and the calls that have ended.

mod calls;
mod speak;

use super::webhooks::MOST_BYTES;
use crate::http::AppState;
use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(speak::handler))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .routes(routes!(calls::handler))
}
