//! Customers, and those who may become one.

mod add_identity;
mod create;
mod delete;
mod get;
mod list;
mod merge;
mod remove_identity;
mod temperature_history;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(add_identity::handler, remove_identity::handler))
        .routes(routes!(merge::handler))
        .routes(routes!(temperature_history::handler))
}
