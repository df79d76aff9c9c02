//! What customers ask for and agents do not know.

mod answer;
mod dismiss;
mod list;
mod reopen;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(answer::handler))
        .routes(routes!(dismiss::handler))
        .routes(routes!(reopen::handler))
}
