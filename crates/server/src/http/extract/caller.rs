use crate::http::{ApiError, AppState};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use quipu_core::access::Principal;
use quipu_core::{Error, ErrorCode};

/// Whoever stands behind the request, known by a bearer token or by the browser's cookie.
pub(crate) struct Caller(pub(crate) Principal);

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let unauthenticated = || ApiError(Error::new(ErrorCode::Unauthenticated));
        let token = if let Some(token) = bearer(&parts.headers) {
            token.to_owned()
        } else {
            let token = state.http.session_cookie.read(&parts.headers);
            let token = token.ok_or_else(unauthenticated)?;
            refuse_cross_site(parts, state)?;
            token
        };
        let principal = quipu_app::auth::authenticate(&state.app, &token).await?;
        principal.map(Self).ok_or_else(unauthenticated)
    }
}

/// That no other page than ours, or one of a configured origin, made the request: for what needs no
/// credential and gives one.
pub(crate) struct OwnPage;

impl FromRequestParts<AppState> for OwnPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        refuse_cross_site(parts, state)?;
        Ok(Self)
    }
}

/// What a request carries as its bearer token.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && token.len() <= 200).then(|| token.trim())
}

/// A browser sends its cookie whichever page makes the request. Writing is for our own pages and
/// the origins that the configuration names.
fn refuse_cross_site(parts: &Parts, state: &AppState) -> Result<(), Error> {
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let header = |name: &str| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let origin = header(ORIGIN.as_str());
    if origin.is_some_and(|origin| state.http.cors_origins.iter().any(|known| known == origin)) {
        return Ok(());
    }
    let same_site = match header("sec-fetch-site") {
        Some(site) => matches!(site, "same-origin" | "none"),
        None => match (origin, header(HOST.as_str())) {
            (Some(origin), Some(host)) => origin
                .split_once("://")
                .is_some_and(|(_, from)| from.eq_ignore_ascii_case(host)),
            // No browser leaves both out.
            (None, _) => true,
            _ => false,
        },
    };
    if same_site {
        Ok(())
    } else {
        Err(Error::new(ErrorCode::CrossSiteRequest))
    }
}
