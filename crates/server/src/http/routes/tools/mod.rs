//! The tools of agents.

mod call;
mod calls;
mod list;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(call::handler))
        .routes(routes!(calls::handler))
}
