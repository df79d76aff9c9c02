//! The parts of OpenAI's protocol that other programs know.

mod embeddings;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(embeddings::handler))
}
