//! Accounts, as the platform manages them.

mod get;
mod list;
mod reset_token;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler, update::handler))
        .routes(routes!(reset_token::handler))
}
