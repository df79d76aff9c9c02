//! How an agent was.

mod difference;
mod get;
mod list;
mod restore;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(difference::handler))
        .routes(routes!(restore::handler))
}
