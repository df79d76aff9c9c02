//! What channels deliver: verified, written down, and only then acknowledged.

use super::answer::enqueue;
use super::keys::ConnectionKeys;
use super::{contacts, states};
use crate::App;
use bytes::Bytes;
use jiff::SignedDuration;
use quipu_channels::{
    ChannelEvent, InboundContent, InboundMessage, MessageEcho, SenderIdentity, consent, pages,
    tiktok, whatsapp,
};
use quipu_core::channel::{ChannelConnection, ConnectionStatus, InboundState, NewInbound};
use quipu_core::lead::Channel;
use quipu_core::tenancy::{TenantScope, TenantStatus};
use quipu_core::{ConnectionId, Error, ErrorCode, Result, Timestamp};
use quipu_store::TenantTx;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// What is older was delivered long ago: no channel tries for longer than a week.
const OLDEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How far ahead the clock of a channel may be.
const AHEAD: SignedDuration = SignedDuration::from_mins(10);
/// For how long nothing is charged that is sent to somebody who came from an advertisement.
const FREE: SignedDuration = SignedDuration::from_hours(72);
/// How often a delivery is written down anew that met another one of the same person.
const ATTEMPTS: usize = 4;

/// The headers of a delivery that vouch for it.
#[derive(Clone, Debug, Default)]
pub struct DeliveryHeaders {
    /// `X-Hub-Signature-256`, of Meta.
    pub hub_signature: Option<String>,
    /// `Tiktok-Signature`.
    pub tiktok_signature: Option<String>,
    /// `X-Vapi-Secret`.
    pub vapi_secret: Option<String>,
    /// `Authorization`, where Vapi was told to send its secret so.
    pub authorization: Option<String>,
}

/// What came of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Messages that were written down and were not known before.
    pub taken: usize,
    /// Those that had been delivered before.
    pub known: usize,
    /// Parts that could not be read.
    pub refused: usize,
}

/// What a connection is opened with before anything of a delivery is believed.
pub(super) struct Door {
    pub(super) connection: ChannelConnection,
    pub(super) keys: ConnectionKeys,
    pub(super) scope: TenantScope,
    /// Of its tenant.
    pub(super) status: TenantStatus,
}

/// Takes a delivery in. When this returns, everything in it is stored.
///
/// # Errors
/// `NOT_FOUND` when there is no such connection, `CHANNEL_UNSIGNED` when the signature is missing or wrong.
pub async fn receive(
    app: &App,
    channel: Channel,
    id: ConnectionId,
    headers: &DeliveryHeaders,
    body: Bytes,
) -> Result<Received> {
    let door = open(app, channel, id).await?;
    verify(app, &door, headers, &body)?;
    let body = without_nul(&body);
    let delivery = match channel {
        Channel::Whatsapp => whatsapp::parse(&body),
        Channel::Instagram | Channel::Messenger => pages::parse(channel, &body),
        Channel::Tiktok => tiktok::parse(&body),
        Channel::Voice | Channel::Web => return Err(Error::not_found("channel")),
    };
    for item in &delivery.refused {
        let (path, reason) = (&item.path, &item.reason);
        tracing::warn!(connection = %id, path, reason, "part of a delivery could not be read");
    }
    let mut received = Received {
        refused: delivery.refused.len(),
        ..Received::default()
    };
    for event in &delivery.events {
        match write_down_again(app, &door, event).await? {
            Some(Taken::New) => received.taken += 1,
            Some(Taken::Known) => received.known += 1,
            Some(Taken::NotOurs) => received.refused += 1,
            None => {}
        }
    }
    count(channel, received);
    app.new_work.notify_one();
    Ok(received)
}

/// A delivery without the sign that no database takes into a text. It is written as an escape, which a blank
/// takes the place of.
fn without_nul(body: &Bytes) -> Cow<'_, [u8]> {
    const NUL: &[u8] = b"\\u0000";
    if !body.windows(NUL.len()).any(|bytes| bytes == NUL) {
        return Cow::Borrowed(body);
    }
    let mut clean = body.to_vec();
    for at in 0..=clean.len() - NUL.len() {
        if clean[at..].starts_with(NUL) {
            clean[at..at + NUL.len()].copy_from_slice(b"\\u0020");
        }
    }
    Cow::Owned(clean)
}

/// Writes down one event, again where it met another one of somebody who writes for the first time.
async fn write_down_again(app: &App, door: &Door, event: &ChannelEvent) -> Result<Option<Taken>> {
    for _ in 1..ATTEMPTS {
        match write_down(app, door, event).await {
            Err(error) if error.code() == ErrorCode::Busy => {}
            written => return written,
        }
    }
    write_down(app, door, event).await
}

/// Answers the question by which a channel makes sure that the address is ours.
///
/// # Errors
/// `NOT_FOUND` when there is no such connection, `CHANNEL_UNSIGNED` for another word than ours.
pub async fn challenge(
    app: &App,
    channel: Channel,
    id: ConnectionId,
    query: &[(String, String)],
) -> Result<String> {
    let door = open(app, channel, id).await?;
    whatsapp::challenge(&door.keys.verify_token, query).ok_or_else(unsigned)
}

pub(super) async fn open(app: &App, channel: Channel, id: ConnectionId) -> Result<Door> {
    let door = reach(app, channel, id).await?;
    if door.status == TenantStatus::Suspended {
        return Err(Error::new(ErrorCode::TenantSuspended));
    }
    Ok(door)
}

/// The same where a tenant that is suspended is told otherwise.
pub(super) async fn reach(app: &App, channel: Channel, id: ConnectionId) -> Result<Door> {
    let platform = app.store.platform_read().await?;
    let found = platform.channel_doors().tenant_of(id).await?;
    let (tenant, _) = found.ok_or_else(|| Error::not_found("channel"))?;
    let found = platform.tenants().find(tenant).await?;
    let found = found.ok_or_else(|| Error::not_found("channel"))?;
    let status = found.status;
    let scope = TenantScope::of(tenant);
    let tx = platform.enter_tenant(scope).await?;
    let connection = tx.channel_connections().find(id).await?;
    let connection = connection.filter(|found| found.channel == channel);
    let connection = connection.ok_or_else(|| Error::not_found("channel"))?;
    let keys = ConnectionKeys::open(app, &tx, id).await?;
    let keys = keys.ok_or_else(|| Error::not_found("channel"))?;
    Ok(Door {
        connection,
        keys,
        scope,
        status,
    })
}

fn verify(app: &App, door: &Door, headers: &DeliveryHeaders, body: &[u8]) -> Result<()> {
    let secret = &door.keys.app_secret;
    let is_signed = match door.connection.channel {
        Channel::Tiktok => {
            let header = headers.tiktok_signature.as_deref();
            tiktok::is_signed(secret, body, header, app.now())
        }
        _ => whatsapp::is_signed(secret, body, headers.hub_signature.as_deref()),
    };
    if is_signed { Ok(()) } else { Err(unsigned()) }
}

pub(super) fn unsigned() -> Error {
    Error::new(ErrorCode::ChannelUnsigned)
}

/// Writes down one event, in a transaction of its own: deliveries that name the same people in another
/// order would wait for each other.
async fn write_down(app: &App, door: &Door, event: &ChannelEvent) -> Result<Option<Taken>> {
    if matches!(
        event,
        ChannelEvent::Template { .. } | ChannelEvent::Other { .. }
    ) {
        // Templates are asked for where they are shown.
        return Ok(None);
    }
    let tx = app.store.begin(door.scope).await?;
    let connection = &door.connection;
    let taken = match event {
        ChannelEvent::Message(message) => Some(take(&tx, connection, message).await?),
        ChannelEvent::Echo(echo) => Some(take_echo(&tx, connection, echo).await?),
        ChannelEvent::Status(update) => {
            states::note(app, &tx, connection, update).await?;
            None
        }
        ChannelEvent::Consent {
            sender,
            allowed,
            at,
        } => {
            // Nobody is made known by it: it may be about another number of the same app.
            let known = contacts::known(&tx, connection, sender).await?;
            if let Some(contact) = known.filter(|_| is_timely(*at, tx.now())) {
                let since = (!allowed).then_some(*at);
                tx.channel_contacts().opt_out(contact.id, since).await?;
            }
            None
        }
        ChannelEvent::NumberChanged { from, to, .. } => {
            states::renumber(&tx, connection, from, to).await?;
            None
        }
        ChannelEvent::Template { .. } | ChannelEvent::Other { .. } => None,
    };
    if taken == Some(Taken::New) {
        tx.channel_connections().received(connection.id).await?;
    }
    tx.commit().await?;
    Ok(taken)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    New,
    Known,
    /// Of another account, or older than anything that is delivered late.
    NotOurs,
}

async fn take(
    tx: &TenantTx,
    connection: &ChannelConnection,
    message: &InboundMessage,
) -> Result<Taken> {
    if message.account_id != connection.account_id || !is_timely(message.at, tx.now()) {
        return Ok(Taken::NotOurs);
    }
    if !is_new(tx, connection.id, &message.id).await? {
        return Ok(Taken::Known);
    }
    let contact = contacts::find_or_create(tx, connection, &message.sender).await?;
    // Before anything of theirs is written, so that the job that answers them sees it or comes again.
    tx.channel_contacts().lock(contact.id).await?;
    // Not the channel's clock where that is ahead: the window must not be longer than it is.
    let said_at = message.at.min(tx.now());
    let free = message
        .referral
        .as_ref()
        .and_then(|_| said_at.checked_add(FREE).ok());
    tx.channel_contacts()
        .heard(contact.id, said_at, free)
        .await?;
    if let InboundContent::Text { text } = &message.content {
        let since = match consent::wish(text) {
            Some(consent::ConsentWish::OptOut) => Some(Some(said_at)),
            Some(consent::ConsentWish::OptIn) => Some(None),
            None => None,
        };
        if let Some(since) = since {
            tx.channel_contacts().opt_out(contact.id, since).await?;
        }
    }
    let state = match message.content {
        InboundContent::Reaction { .. } | InboundContent::Deleted { .. } => InboundState::Noted,
        _ => InboundState::Waiting,
    };
    let new = NewInbound {
        contact: contact.id,
        connection: connection.id,
        external_id: message.id.clone(),
        kind: "message",
        event: serde_json::to_value(message).map_err(Error::internal)?,
        state,
        said_at,
    };
    tx.channel_inbound().insert(&new).await?;
    if state == InboundState::Waiting {
        let pause = match connection.status {
            ConnectionStatus::Active => connection.settings.debounce_ms,
            ConnectionStatus::Paused => 0,
        };
        enqueue(tx, contact.id, i64::from(pause)).await?;
    }
    Ok(Taken::New)
}

/// What somebody of the business wrote outside the product. Our own messages come back so too, and are
/// told by their ids once those are known.
async fn take_echo(
    tx: &TenantTx,
    connection: &ChannelConnection,
    echo: &MessageEcho,
) -> Result<Taken> {
    let recipient = &echo.recipient;
    let is_known = recipient.user_id.is_some() || recipient.phone.is_some();
    if echo.account_id != connection.account_id || !is_known || !is_timely(echo.at, tx.now()) {
        return Ok(Taken::NotOurs);
    }
    let outbound = tx.channel_outbound();
    let ours = outbound.known_as(connection.id, &echo.id).await?.is_some();
    if ours || !is_new(tx, connection.id, &echo.id).await? {
        return Ok(Taken::Known);
    }
    let sender = SenderIdentity {
        name: None,
        ..recipient.clone()
    };
    let contact = contacts::find_or_create(tx, connection, &sender).await?;
    tx.channel_contacts().lock(contact.id).await?;
    let new = NewInbound {
        contact: contact.id,
        connection: connection.id,
        external_id: echo.id.clone(),
        kind: "echo",
        event: serde_json::to_value(echo).map_err(Error::internal)?,
        state: InboundState::Waiting,
        said_at: echo.at.min(tx.now()),
    };
    tx.channel_inbound().insert(&new).await?;
    enqueue(tx, contact.id, 0).await?;
    Ok(Taken::New)
}

fn is_timely(at: Timestamp, now: Timestamp) -> bool {
    let age = now.duration_since(at);
    age <= OLDEST && -age <= AHEAD
}

/// Whether something was not delivered before, whoever has been deleted since.
pub(super) async fn is_new(tx: &TenantTx, connection: ConnectionId, id: &str) -> Result<bool> {
    let mark = hex::encode(Sha256::digest(id.as_bytes()));
    tx.channel_inbound().mark(connection, &mark).await
}

fn count(channel: Channel, received: Received) {
    for (outcome, number) in [
        ("taken", received.taken),
        ("known", received.known),
        ("refused", received.refused),
    ] {
        metrics::counter!("quipu_channel_deliveries_total", "channel" => channel.as_str(), "outcome" => outcome)
            .increment(number as u64);
    }
}
