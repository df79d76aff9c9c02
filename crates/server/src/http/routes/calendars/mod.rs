//! Appointments as calendars that other programs follow.

mod link;
mod open;
mod revoke;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(link::branch))
        .routes(routes!(link::staff))
        .routes(routes!(revoke::handler))
        .routes(routes!(open::handler))
}
