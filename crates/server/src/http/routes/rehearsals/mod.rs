//! Rehearsals of agents, and the scripts that are played in them.

mod create_script;
mod delete;
mod delete_script;
mod get;
mod get_script;
mod judge;
mod list;
mod list_scripts;
mod results;
mod script_from_conversation;
mod start;
mod stop;
mod update_script;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_scripts::handler, create_script::handler))
        .routes(routes!(script_from_conversation::handler))
        .routes(routes!(
            get_script::handler,
            update_script::handler,
            delete_script::handler
        ))
        .routes(routes!(list::handler, start::handler))
        .routes(routes!(get::handler, delete::handler))
        .routes(routes!(results::handler))
        .routes(routes!(judge::handler))
        .routes(routes!(stop::handler))
}
