//! How an agent may become.

mod difference;
mod discard;
mod get;
mod publish;
mod save;
mod shown;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::handler, save::handler, discard::handler))
        .routes(routes!(difference::handler))
        .routes(routes!(publish::handler))
}
