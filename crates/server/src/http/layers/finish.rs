use super::RequestId;
use crate::http::ApiError;
use crate::http::error::{ErrorBody, ErrorInfo};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quipu_core::language::Language;
use quipu_core::{Error, ErrorCode};
use std::any::Any;
use std::sync::Arc;

/// Writes the body of whatever error comes out, in the reader's language.
pub(crate) async fn finish(
    State(max_body_bytes): State<usize>,
    request: Request,
    next: Next,
) -> Response {
    let accept = request
        .headers()
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let language = Language::from_accept_language(accept);
    let id = request.extensions().get::<RequestId>().cloned();
    let mut response = next.run(request).await;
    let error = match response.extensions_mut().remove::<Arc<Error>>() {
        Some(error) => error,
        // Refusals that axum itself makes carry no body of ours yet.
        None => match response.status() {
            StatusCode::METHOD_NOT_ALLOWED => Arc::new(Error::new(ErrorCode::MethodNotAllowed)),
            _ => return response,
        },
    };
    if error.status() == 500 {
        tracing::error!(error = %error, code = %error.code(), "request failed: {error}");
    }
    let request_id = id.map(|id| id.0).unwrap_or_default();
    let mut told = ErrorInfo::of(&error, language, request_id);
    // Whoever reads a body of another size says so; the usual limit is the same everywhere.
    if error.code() == ErrorCode::BodyTooLarge && !told.details.contains_key("max_bytes") {
        let most = max_body_bytes.to_string();
        told.details
            .insert("max_bytes".to_owned(), max_body_bytes.into());
        told.message = told.message.replace("{max_bytes}", &most);
    }
    let body = ErrorBody { error: told };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove("content-length");
    let mut answer = (parts.status, axum::Json(body)).into_response();
    answer.headers_mut().extend(parts.headers);
    let spoken = HeaderValue::from_static(language.as_str());
    answer.headers_mut().insert(CONTENT_LANGUAGE, spoken);
    if let Some(seconds) = error.retry_after_seconds() {
        answer
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    answer
}

/// A panic is a defect; the client gets an error like any other, and the process goes on.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
pub(crate) fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let what = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
        .unwrap_or_else(|| "a panic without words".to_owned());
    ApiError(Error::internal(format!("panic: {what}"))).into_response()
}
