use crate::http::ApiError;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use quipu_core::{Error, ErrorCode};
use serde::de::DeserializeOwned;

/// Values from the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // PostgreSQL cannot hold a NUL, and nothing here is that long.
        if let Ok(raw) = RawPathParams::from_request_parts(parts, state).await
            && raw
                .iter()
                .any(|(_, value)| value.contains('\0') || value.len() > 300)
        {
            return Err(invalid("a path segment is too long or holds a NUL").into());
        }
        axum::extract::Path::<T>::from_request_parts(parts, state)
            .await
            .map(|value| Self(value.0))
            .map_err(|rejection| invalid(&rejection.body_text()).into())
    }
}

/// Values from the query string.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(invalid("a value holds a NUL").into());
        }
        axum::extract::Query::<T>::from_request_parts(parts, state)
            .await
            .map(|value| Self(value.0))
            .map_err(|rejection| invalid(&rejection.body_text()).into())
    }
}

fn invalid(reason: &str) -> Error {
    let reason: String = reason.chars().take(200).collect();
    Error::new(ErrorCode::InvalidParameter).with("reason", reason)
}
