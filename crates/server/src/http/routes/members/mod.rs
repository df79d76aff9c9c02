//! The people of a tenant.

mod get;
mod invite;
mod list;
mod remove;
mod reset_token;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, invite::handler))
        .routes(routes!(get::handler, update::handler, remove::handler))
        .routes(routes!(reset_token::handler))
}
