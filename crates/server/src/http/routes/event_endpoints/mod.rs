//! Addresses of a business that are told what happens.

mod create;
mod delete;
mod deliveries;
mod get;
mod list;
mod ping;
mod replay;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(ping::handler))
        .routes(routes!(deliveries::handler))
        .routes(routes!(replay::handler))
}
