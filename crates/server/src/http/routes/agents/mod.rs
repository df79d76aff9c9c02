//! Agents.

mod activate;
mod create;
mod delete;
mod difference;
mod draft;
mod get;
mod list;
mod preview_prompt;
mod prompts;
mod saved;
mod search;
mod try_models;
mod update;
mod versions;

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
        .routes(routes!(preview_prompt::handler))
        .routes(routes!(try_models::handler))
        .merge(draft::router())
        .merge(versions::router())
}
