//! For whoever watches over the server.

mod healthz;
mod metrics;
mod readyz;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(healthz::handler))
        .routes(routes!(readyz::handler))
        .routes(routes!(metrics::handler))
}
