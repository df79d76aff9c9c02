//! How an error leaves the house.
//!
//! A handler returns a core [`Error`]; it travels in the response's extensions to the outermost
//! layer, which knows the request's id and language and writes the body. Internal causes are
//! logged there, once, and never sent.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quipu_core::Error;
use quipu_core::language::Language;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

pub struct ApiError(pub Error);

impl<E: Into<Error>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(Arc::new(self.0));
        response
    }
}

/// The one shape of an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    pub error: ErrorInfo,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorInfo {
    /// For programs: its meaning never changes.
    #[schema(example = "NOT_FOUND")]
    pub code: &'static str,
    /// For people, in the language of `Accept-Language` (es or en).
    pub message: String,
    /// To find the request in the logs.
    pub request_id: String,
    /// What the message was made of, by name.
    #[schema(value_type = Object)]
    pub details: serde_json::Map<String, serde_json::Value>,
}

impl ErrorInfo {
    /// What is told of an error.
    pub(crate) fn of(error: &Error, language: Language, request_id: String) -> Self {
        Self {
            code: error.code().as_str(),
            message: error.message(language),
            request_id,
            details: error.told_details(language),
        }
    }
}
