//! Telephone calls through Vapi: what it asks while somebody calls, and what it tells of that.
//!
//! Vapi listens and speaks. It asks for words as any program asks a model of OpenAI ([`speak`]), and for
//! everything else it posts messages ([`hear`]), of which some wait for an answer of Vapi's shape.

mod assistant;
mod people;
mod report;
mod requests;
mod transfer;
mod turn;
mod words;

pub use report::{VoiceCallQuery, calls};
pub use turn::{CallTurn, speak, turn};

use super::receive::{DeliveryHeaders, Door, reach, unsigned};
use crate::App;
use quipu_channels::voice::{self as vapi, VoiceMessage};
use quipu_core::channel::ConnectionStatus;
use quipu_core::lead::Channel;
use quipu_core::tenancy::TenantStatus;
use quipu_core::{ConnectionId, Result};
use serde_json::{Value, json};

/// Takes a message of Vapi, and answers it where it waits for that. When this returns, what there is to keep
/// of it is stored.
///
/// # Errors
/// `NOT_FOUND` when there is no such connection, `CHANNEL_UNSIGNED` when the secret is missing or wrong.
pub async fn hear(
    app: &App,
    id: ConnectionId,
    headers: &DeliveryHeaders,
    body: &[u8],
) -> Result<Value> {
    let door = enter(app, id, headers).await?;
    let message = match vapi::parse(body) {
        Ok(message) => message,
        Err(item) => {
            let (path, reason) = (&item.path, &item.reason);
            tracing::warn!(connection = %id, path, reason, "a message about a call could not be read");
            count("refused");
            return Ok(nothing());
        }
    };
    count("taken");
    match message {
        VoiceMessage::AssistantRequest { call } => assistant::answer(app, &door, &call).await,
        VoiceMessage::EndOfCall(report) => {
            report::keep(app, &door, &report).await?;
            Ok(nothing())
        }
        VoiceMessage::ToolCalls { .. }
        | VoiceMessage::TransferRequest { .. }
        | VoiceMessage::KnowledgeRequest { .. }
            if !is_open(&door) =>
        {
            let language = people::language(app, &door).await?;
            Ok(vapi::refusal_answer(words::closed(language)))
        }
        VoiceMessage::ToolCalls { call, calls } => {
            requests::use_tools(app, &door, &call, calls).await
        }
        VoiceMessage::TransferRequest { call } => transfer::answer(app, &door, &call).await,
        VoiceMessage::KnowledgeRequest { call, messages } => {
            requests::look_up(app, &door, call.as_ref(), &messages).await
        }
        VoiceMessage::StatusUpdate { call, status, .. } => {
            tracing::debug!(connection = %id, call = call.id, status, "a call goes on");
            note(app, &door).await?;
            Ok(nothing())
        }
        VoiceMessage::ConversationUpdate { .. }
        | VoiceMessage::Transcript { .. }
        | VoiceMessage::Other { .. } => Ok(nothing()),
    }
}

/// Lets in who shows the secret of the connection.
async fn enter(app: &App, id: ConnectionId, headers: &DeliveryHeaders) -> Result<Door> {
    let door = reach(app, Channel::Voice, id).await?;
    let shown = (
        headers.vapi_secret.as_deref(),
        headers.authorization.as_deref(),
    );
    if vapi::is_authentic(&door.keys.app_secret, shown) {
        Ok(door)
    } else {
        Err(unsigned())
    }
}

/// Whether the agent takes calls.
fn is_open(door: &Door) -> bool {
    door.status == TenantStatus::Active && door.connection.status == ConnectionStatus::Active
}

/// Notes that the connection is in use.
async fn note(app: &App, door: &Door) -> Result<()> {
    let tx = app.store.begin(door.scope).await?;
    tx.channel_connections()
        .received(door.connection.id)
        .await?;
    tx.commit().await
}

fn nothing() -> Value {
    json!({})
}

fn count(outcome: &'static str) {
    metrics::counter!("quipu_channel_deliveries_total", "channel" => Channel::Voice.as_str(), "outcome" => outcome)
        .increment(1);
}
