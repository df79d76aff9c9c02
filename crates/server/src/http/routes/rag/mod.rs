//! Search for a tenant's n8n: the request and the answer of the original workflow.

mod health;
mod search;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(search::handler, health::handler))
}
