//! Which address is answered by what.

use crate::attachments;
use crate::state::SimulatorState;
use crate::{api, graph, n8n, page, tiktok};
use axum::Router;
use axum::routing::{any, get, post};
use std::sync::Arc;

pub(crate) const MOST_BODY_BYTES: usize = 6 * 1024 * 1024;

pub(crate) fn router(state: Arc<SimulatorState>) -> Router {
    Router::new()
        .route("/", get(page::entry))
        .route("/app.js", get(page::script))
        .route("/words.js", get(page::words))
        .route("/phone.js", get(page::phone))
        .route("/style.css", get(page::style))
        .nest("/simulator/api", api::router())
        .route("/open_api/{*path}", any(tiktok::answer))
        .route("/n8n/{account_id}", post(n8n::receive))
        .route("/attachments/{file_id}", get(attachments::download))
        .fallback(graph::answer)
        .with_state(state)
}
