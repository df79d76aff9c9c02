use crate::http::{ApiError, AppState};
use axum::extract::FromRequestParts;
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use quipu_core::{Error, ErrorCode};

/// Proof that the request comes from no page, or from one whose origin the configuration names.
///
/// Comparing with `Host` would not do: a page whose name was made to point at this machine sends its
/// own name as both.
pub(crate) struct KnownOrigin;

impl FromRequestParts<AppState> for KnownOrigin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let Some(origin) = parts.headers.get(ORIGIN) else {
            return Ok(Self);
        };
        let origin = origin.to_str().unwrap_or_default();
        let settings = &state.http;
        let named = settings.cors_origins.iter().any(|known| known == origin);
        if !origin.is_empty() && (named || settings.public_url == origin) {
            return Ok(Self);
        }
        Err(Error::new(ErrorCode::CrossSiteRequest).into())
    }
}
