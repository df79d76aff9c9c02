//! Tenants, as the platform manages them.

mod create;
mod credits;
mod delete;
mod deletion_receipts;
mod get;
mod list;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(credits::handler))
        .routes(routes!(deletion_receipts::handler))
}
