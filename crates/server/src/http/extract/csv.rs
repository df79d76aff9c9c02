use crate::http::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use quipu_core::{Error, ErrorCode};

/// A table as a body, however its text is encoded.
pub(crate) struct Csv(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Csv {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let is_csv = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .is_some_and(|kind| {
                let kind = kind.trim();
                kind.eq_ignore_ascii_case("text/csv") || kind.eq_ignore_ascii_case("text/plain")
            });
        if !is_csv {
            return Err(Error::new(ErrorCode::UnsupportedMediaType).into());
        }
        match Bytes::from_request(request, state).await {
            Ok(bytes) => Ok(Self(bytes)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Error::new(ErrorCode::BodyTooLarge).into())
            }
            Err(_) => Err(Error::new(ErrorCode::InvalidCsv).into()),
        }
    }
}
