//! The chat that a request is about, opened for the page that sent it.

use super::cross_origin::OriginSlot;
use crate::http::extract::{ClientAddress, Path};
use crate::http::{ApiError, AppState};
use axum::extract::FromRequestParts;
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use quipu_app::channels::web_chat::{self, SiteChat};
use quipu_core::ConnectionId;
use std::convert::Infallible;

/// The chat, or why it is not open to whoever asks. What else is wrong with a request is told first, so
/// that the handler decides when this is.
pub(super) struct Site(pub(super) Result<SiteChat, ApiError>);

impl FromRequestParts<AppState> for Site {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self(enter(parts, state).await))
    }
}

async fn enter(parts: &mut Parts, state: &AppState) -> Result<SiteChat, ApiError> {
    let Path(id) = Path::<ConnectionId>::from_request_parts(parts, state).await?;
    let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
    state.app.rate.check_chat(id, address)?;
    let origin = parts.headers.get(ORIGIN).cloned();
    let named = origin.as_ref().and_then(|origin| origin.to_str().ok());
    let chat = web_chat::enter(&state.app, id, named).await?;
    if let (Some(slot), Some(origin)) = (parts.extensions.get::<OriginSlot>(), origin) {
        slot.fill(origin);
    }
    Ok(chat)
}
