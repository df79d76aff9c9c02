//! Agents.

mod activate;
mod create;
mod delete;
mod get;
mod list;
mod prompts;
mod saved;
mod search;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(activate::handler))
        .routes(routes!(search::handler))
        .routes(routes!(prompts::handler))
}
