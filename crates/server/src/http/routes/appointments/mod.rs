//! Appointments.

mod cancel;
mod complete;
mod confirm;
mod create;
mod get;
mod list;
mod missed;
mod reschedule;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler))
        .routes(routes!(confirm::handler))
        .routes(routes!(cancel::handler))
        .routes(routes!(reschedule::handler))
        .routes(routes!(complete::handler))
        .routes(routes!(missed::handler))
}
