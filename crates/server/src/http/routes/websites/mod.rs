//! Whole websites as knowledge.

mod create;
mod delete;
mod get;
mod list;
mod pages;
mod preview;
mod read;
mod stop;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(preview::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(read::handler))
        .routes(routes!(stop::handler))
        .routes(routes!(pages::handler))
}
