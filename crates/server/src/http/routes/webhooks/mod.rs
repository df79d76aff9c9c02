//! Where channels deliver to.

mod challenge;
mod deliver;
mod headers;

pub(super) use headers::vouched;

use crate::http::AppState;
use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Channels deliver at most three megabytes.
pub(super) const MOST_BYTES: usize = 3 * 1024 * 1024;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(challenge::handler, deliver::handler))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
}
