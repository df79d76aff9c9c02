//! Background work.

mod cancel;
mod get;
mod list;
mod retry;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(cancel::handler))
        .routes(routes!(retry::handler))
}
