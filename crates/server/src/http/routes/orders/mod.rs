//! Orders.

mod cancel;
mod change_status;
mod create;
mod get;
mod list;
mod quote;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(quote::handler))
        .routes(routes!(get::handler))
        .routes(routes!(change_status::handler))
        .routes(routes!(cancel::handler))
}
