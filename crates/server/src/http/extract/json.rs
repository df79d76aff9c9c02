use crate::http::ApiError;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quipu_core::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A JSON body, in or out. Unknown fields are refused by the types themselves.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let is_json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        if !is_json {
            return Err(Error::new(ErrorCode::UnsupportedMediaType).into());
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|r| unreadable(&r))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            // The reason names fields and positions, and is cut: it may quote what was sent.
            let reason: String = error.to_string().chars().take(200).collect();
            Error::new(ErrorCode::InvalidJson)
                .with("reason", reason)
                .into()
        })
    }
}

fn unreadable(rejection: &BytesRejection) -> Error {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Error::new(ErrorCode::BodyTooLarge);
    }
    Error::new(ErrorCode::InvalidJson).with("reason", "the body ended early")
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
