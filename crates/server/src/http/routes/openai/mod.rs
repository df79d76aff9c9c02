//! The parts of OpenAI's protocol that other programs know.

pub(super) mod completions;
mod embeddings;
mod ending;
mod message;
mod models;
mod responses;
mod tools;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(completions::handler))
        .routes(routes!(responses::handler))
        .routes(routes!(embeddings::handler))
        .routes(routes!(models::list))
        .routes(routes!(models::get))
}
