//! Conversations with customers.

mod add_message;
mod attach;
mod attachments;
mod create;
mod download_attachment;
mod get;
mod history;
mod list;
mod messages;
mod release;
mod request_handoff;
mod take;
mod update;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, update::handler))
        .routes(routes!(messages::handler, add_message::handler))
        .routes(routes!(request_handoff::handler))
        .routes(routes!(take::handler))
        .routes(routes!(release::handler))
        .routes(routes!(history::handler))
        .routes(routes!(attachments::handler))
        .routes(routes!(download_attachment::handler))
}

/// Requests that carry files.
pub(super) fn uploads() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(attach::handler))
}
