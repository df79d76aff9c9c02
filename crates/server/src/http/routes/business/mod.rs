//! What a business says of itself, and what can be booked there.

mod availability;
mod get;
mod get_prompting;
mod put;
mod put_prompting;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::handler, put::handler))
        .routes(routes!(get_prompting::handler, put_prompting::handler))
        .routes(routes!(availability::handler))
}
