//! Requests for invoices.

mod complete;
mod create;
mod get;
mod list;
mod reject;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler))
        .routes(routes!(complete::handler))
        .routes(routes!(reject::handler))
}
