//! What a tenant has used of its plan.

mod credits;
mod get_prices;
mod put_prices;
mod report;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(report::handler))
        .routes(routes!(credits::handler))
        .routes(routes!(get_prices::handler, put_prices::handler))
}
