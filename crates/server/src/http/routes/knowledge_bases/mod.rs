//! Knowledge bases, and which agents read them.

mod assign;
mod assignments;
mod create;
mod delete;
mod events;
mod get;
mod list;
mod search;
mod stats;
mod unassign;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(stats::handler))
        .routes(routes!(assignments::handler, assign::handler))
        .routes(routes!(unassign::handler))
        .routes(routes!(search::handler))
        .routes(routes!(events::handler))
}
