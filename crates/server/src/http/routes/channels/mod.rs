//! Accounts of the business at channels.

mod check;
mod connect;
mod cost;
mod disconnect;
mod get;
mod list;
mod messages;
mod of_conversation;
mod send_template;
mod templates;
mod update;
mod webhook;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, connect::handler))
        .routes(routes!(get::handler, update::handler, disconnect::handler))
        .routes(routes!(webhook::handler))
        .routes(routes!(check::handler))
        .routes(routes!(templates::handler))
        .routes(routes!(messages::handler))
        .routes(routes!(cost::handler))
        .routes(routes!(of_conversation::handler))
        .routes(routes!(send_template::handler))
}
