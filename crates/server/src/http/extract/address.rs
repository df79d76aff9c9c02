use crate::http::{ApiError, AppState};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where a request comes from, for limiting attempts to sign in.
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        if !state.http.trust_forwarded_for {
            return Ok(Self(peer));
        }
        // The last entry is the one our own proxy added; earlier ones are the client's to invent.
        let forwarded = parts
            .headers
            .get_all("x-forwarded-for")
            .iter()
            .next_back()
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.rsplit(',').next())
            .and_then(|value| value.trim().parse().ok());
        Ok(Self(forwarded.unwrap_or(peer)))
    }
}
