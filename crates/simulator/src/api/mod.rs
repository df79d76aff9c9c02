//! The same as the library can do, over HTTP.

mod accounts;
mod conversation;
mod guard;
mod written;

use crate::outgoing::json_response;
use crate::server::MOST_BODY_BYTES;
use crate::state::SimulatorState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde_json::{Value, json};
use std::sync::Arc;

/// Something that the control of the stand-ins refuses.
struct ApiError {
    status: u16,
    message: String,
}

impl ApiError {
    fn bad(message: impl Into<String>) -> Self {
        Self {
            status: 400,
            message: message.into(),
        }
    }

    fn no_account() -> Self {
        Self {
            status: 404,
            message: "there is no such account".to_owned(),
        }
    }
}

impl From<String> for ApiError {
    fn from(message: String) -> Self {
        Self::bad(message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "message": self.message } });
        json_response(self.status, &body, None)
    }
}

/// An answer in JSON.
struct Told(Value);

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        json_response(200, &self.0, None)
    }
}

type Answer = Result<Told, ApiError>;

pub(crate) fn router() -> Router<Arc<SimulatorState>> {
    Router::new()
        .route("/accounts", get(accounts::list).post(accounts::connect))
        .route("/accounts/{id}/verify", post(accounts::verify))
        .route(
            "/accounts/{id}/failures",
            post(accounts::fail).delete(accounts::heal),
        )
        .route("/accounts/{id}/documented", get(accounts::documented))
        .route("/accounts/{id}/requests", get(accounts::requests))
        .route(
            "/accounts/{id}/n8n",
            get(accounts::n8n).put(accounts::n8n_answers),
        )
        .route("/accounts/{id}/n8n/answer", delete(accounts::n8n_forgets))
        .route(
            "/accounts/{id}/messages",
            get(conversation::list).post(conversation::write),
        )
        .route("/accounts/{id}/files", post(conversation::upload))
        .route("/accounts/{id}/echo", post(conversation::echo))
        .route("/accounts/{id}/statuses", post(conversation::status))
        .route("/accounts/{id}/repeat", post(conversation::repeat))
        .route("/accounts/{id}/calls", post(conversation::call))
        .route("/files/{id}", get(conversation::file))
        .route("/clock", get(accounts::clock).post(accounts::advance))
        .fallback(|| async {
            ApiError {
                status: 404,
                message: "there is no such address".to_owned(),
            }
        })
        .layer(from_fn(guard::only_own_pages))
        .layer(DefaultBodyLimit::max(MOST_BODY_BYTES))
}
