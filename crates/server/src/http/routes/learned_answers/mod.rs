//! What agents may learn from the answers that people gave in their place.

mod approve;
mod list;
mod reject;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(approve::handler))
        .routes(routes!(reject::handler))
}
