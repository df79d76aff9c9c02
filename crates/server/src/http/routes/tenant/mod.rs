//! The tenant one is working in.

mod end;
mod export;
mod get;
mod update;
mod what_ends;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::handler, update::handler))
        .routes(routes!(export::handler))
        .routes(routes!(what_ends::handler, end::handler))
}
