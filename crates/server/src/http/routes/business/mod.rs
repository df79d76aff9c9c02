//! What a business says of itself, and what can be booked there.

mod availability;
mod get;
mod put;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::handler, put::handler))
        .routes(routes!(availability::handler))
}
