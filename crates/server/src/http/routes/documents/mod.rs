//! The documents of a knowledge base.

mod add_text;
mod add_url;
mod cancel;
mod chunk;
mod chunks;
mod delete;
mod delete_many;
mod download;
mod export;
mod filter;
mod get;
mod ids;
mod list;
mod preview_chunks;
mod replace_file;
mod replace_text;
mod reprocess;
mod reprocess_many;
mod status;
mod text;
mod update;
mod upload;
mod upload_corpus;

pub(super) use download::attachment;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(add_text::handler))
        .routes(routes!(add_url::handler))
        .routes(routes!(export::handler))
        .routes(routes!(ids::handler))
        .routes(routes!(preview_chunks::handler))
        .routes(routes!(delete_many::handler))
        .routes(routes!(reprocess_many::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(status::handler))
        .routes(routes!(reprocess::handler))
        .routes(routes!(cancel::handler))
        .routes(routes!(text::handler, replace_text::handler))
        .routes(routes!(chunks::handler))
        .routes(routes!(chunk::handler))
        .routes(routes!(download::handler))
}

/// Requests that carry files.
pub(super) fn uploads() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(upload::handler))
        .routes(routes!(upload_corpus::handler))
        .routes(routes!(replace_file::handler))
}
