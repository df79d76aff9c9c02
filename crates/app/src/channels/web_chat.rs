//! The chat on the site of a business.
//!
//! Pages of other origins speak to it without a key of the API. Which sites they may belong to is said by the
//! connection. Who a visitor is, nobody knows: their session is a number that was drawn for them, signed with a
//! secret of the connection, and their contact and conversation are found by it as on any channel.

mod history;
mod talk;
mod visitor;

pub use history::{WebChatHistory, WebChatMessage, history};
pub use talk::{SayInWebChat, WebChatAnswer, WebChatTurn, say};
pub use visitor::WebVisitor;

use super::receive::{Door, open};
use crate::{Actor, App, RequestInfo};
use quipu_core::access::Principal;
use quipu_core::channel::{ChannelConnection, ContactIdentity, WebSettings};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::{ConnectionId, Error, ErrorCode, Result, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use visitor::VisitorId;

/// The chat of a site, as a request of one of its pages finds it.
pub struct SiteChat {
    door: Door,
    settings: WebSettings,
}

/// The session of a visitor, begun or gone on with.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenWebChat {
    /// The token of an earlier session. While it counts, its visitor goes on with their conversation.
    #[serde(default)]
    #[schema(max_length = 300)]
    pub token: Option<String>,
}

/// The session of a visitor, and how the chat looks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebChatSession {
    /// What the visitor is known by, sent as a bearer token. It says nothing of who they are.
    pub token: String,
    /// For how many seconds it counts.
    pub expires_in: i64,
    pub settings: WebChatLook,
}

/// How the chat of a site looks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebChatLook {
    pub title: String,
    pub greeting: Option<String>,
    /// Such as `#0f766e`.
    pub accent: String,
    /// Nothing where it is that of the page.
    pub language: Option<Language>,
    pub privacy_note: Option<String>,
}

/// Opens the chat of a site to a page, which is known by the `Origin` that its browser sends.
///
/// # Errors
/// `NOT_FOUND` when there is no such connection, or none of the web, `TENANT_SUSPENDED`, or
/// `ORIGIN_NOT_ALLOWED` for a page of another site, and for what is no page.
pub async fn enter(app: &App, id: ConnectionId, origin: Option<&str>) -> Result<SiteChat> {
    let door = open(app, Channel::Web, id).await?;
    let settings = door.connection.settings.web.clone();
    let settings = settings.ok_or_else(|| Error::not_found("channel"))?;
    if !origin.is_some_and(|origin| settings.allows(origin)) {
        return Err(Error::new(ErrorCode::OriginNotAllowed));
    }
    Ok(SiteChat { door, settings })
}

/// Begins a session, or goes on with one that counts. Nothing is stored of somebody who only looks.
///
/// # Errors
/// When the operating system gives no random bytes.
pub async fn begin(app: &App, chat: &SiteChat, input: &OpenWebChat) -> Result<WebChatSession> {
    let now = app.now();
    let token = input.token.as_deref();
    let known = token.and_then(|token| chat.read_token(token, now));
    let visitor = match known {
        Some(visitor) => visitor.id,
        None => VisitorId::draw()?,
    };
    let actor = chat.actor(app, None).await?;
    let settings = &chat.settings;
    Ok(WebChatSession {
        token: chat.sign(visitor, now),
        expires_in: visitor::LIFETIME.as_secs(),
        settings: WebChatLook {
            title: settings
                .title
                .clone()
                .unwrap_or_else(|| actor.tenant().name.clone()),
            greeting: settings.greeting.clone(),
            accent: settings.accent.clone(),
            language: settings.language,
            privacy_note: settings.privacy_note.clone(),
        },
    })
}

impl SiteChat {
    /// The language in which its visitors are told what went wrong.
    #[must_use]
    pub fn language(&self) -> Language {
        self.settings.language.unwrap_or_default()
    }

    /// Whoever a token says that they are.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` without a token, or with one that does not count here.
    pub fn visitor(&self, token: Option<&str>, now: Timestamp) -> Result<WebVisitor> {
        let visitor = token.and_then(|token| self.read_token(token, now));
        visitor.ok_or_else(|| Error::new(ErrorCode::Unauthenticated))
    }

    fn connection(&self) -> &ChannelConnection {
        &self.door.connection
    }

    fn read_token(&self, token: &str, now: Timestamp) -> Option<WebVisitor> {
        let secret = &self.door.keys.app_secret;
        visitor::read(secret, self.connection().id, token, now)
    }

    fn sign(&self, visitor: VisitorId, now: Timestamp) -> String {
        let secret = &self.door.keys.app_secret;
        visitor::sign(secret, self.connection().id, visitor, now)
    }

    /// The product itself, which answers visitors.
    async fn actor(&self, app: &App, request_id: Option<String>) -> Result<Actor> {
        let tenant = self.door.scope.tenant_id().to_string();
        let request = RequestInfo {
            request_id,
            // A key of a stranger names nothing of the tenant.
            idempotency_key: None,
        };
        Actor::enter(app, Principal::System, Some(&tenant), request).await
    }
}

/// How a connection knows a visitor.
fn identity(visitor: &WebVisitor) -> ContactIdentity {
    ContactIdentity {
        user_id: Some(visitor.id.to_string()),
        ..ContactIdentity::default()
    }
}
