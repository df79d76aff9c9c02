//! What an agent knows.

mod add_text;
mod delete;
mod get;
mod list;
mod stats;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, add_text::handler))
        .routes(routes!(stats::handler))
        .routes(routes!(get::handler, delete::handler))
}
