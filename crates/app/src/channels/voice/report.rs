//! Calls that have ended.

use super::{people, words};
use crate::channels::connections::find;
use crate::channels::receive::{Door, is_new};
use crate::conversations::outgoing;
use crate::{Actor, App, conversations};
use quipu_channels::voice::{VoiceReport, VoiceRole};
use quipu_core::access::Permission;
use quipu_core::channel::{ChannelContact, NewVoiceCall, VoiceCallRecord};
use quipu_core::conversation::{Conversation, MessageRole, NewMessage};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{ConnectionId, ConversationId, ErrorCode, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::VoiceCallFilter;
use serde_json::json;

/// Which calls are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct VoiceCallQuery {
    pub connection: Option<ConnectionId>,
    pub conversation: Option<ConversationId>,
}

/// Calls that have ended, newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission, or `NOT_FOUND` for the connection or the conversation.
pub async fn calls(
    app: &App,
    actor: &Actor,
    query: VoiceCallQuery,
    page: PageRequest,
) -> Result<Page<VoiceCallRecord>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    if let Some(connection) = query.connection {
        find(&tx, connection).await?;
    }
    if let Some(conversation) = query.conversation {
        conversations::find(&tx, conversation).await?;
    }
    let filter = VoiceCallFilter {
        connection: query.connection,
        conversation: query.conversation,
    };
    tx.voice_calls().list(filter, page).await
}

/// Stores how a call went, once, and notes it in its conversation.
pub(super) async fn keep(app: &App, door: &Door, report: &VoiceReport) -> Result<()> {
    for _ in 1..people::ATTEMPTS {
        match write(app, door, report).await {
            Err(error) if error.code() == ErrorCode::Busy => {}
            written => return written,
        }
    }
    write(app, door, report).await
}

async fn write(app: &App, door: &Door, report: &VoiceReport) -> Result<()> {
    let connection = &door.connection;
    let tx = app.store.begin(door.scope).await?;
    // Also where whoever called was deleted since.
    if !is_new(&tx, connection.id, &format!("call:{}", report.call.id)).await? {
        return Ok(());
    }
    let (contact, conversation) = participants(&tx, door, report).await?;
    let seconds = report.duration_seconds.and_then(whole);
    let cut = |text: Option<&str>, most: usize| -> Option<String> {
        text.map(|text| text.chars().take(most).collect())
    };
    let new = NewVoiceCall {
        connection: connection.id,
        contact: contact.map(|contact| contact.id),
        conversation: conversation.as_ref().map(|conversation| conversation.id),
        external_id: report.call.id.clone(),
        started_at: report.started_at,
        ended_at: report.ended_at,
        duration_seconds: seconds,
        ended_reason: report.ended_reason.clone(),
        transcript: cut(
            report.transcript.as_deref(),
            VoiceCallRecord::MOST_TRANSCRIPT_CHARS,
        ),
        summary: cut(
            report.summary.as_deref(),
            VoiceCallRecord::MOST_SUMMARY_CHARS,
        ),
        recording_url: report.recording_url.clone(),
        cost_micros: report.cost_usd.and_then(|usd| whole(usd * 1e6)),
    };
    let stored = tx.voice_calls().insert(&new).await?;
    if let (Some(id), Some(conversation)) = (stored, &conversation) {
        let language = outgoing::language(&tx).await?;
        let note = NewMessage {
            role: MessageRole::Note,
            author: format!("channel:{}", connection.id),
            text: words::report(seconds, new.summary.as_deref(), language),
            metadata: json!({ "call_id": report.call.id, "voice_call_id": id }),
        };
        conversations::append(&tx, conversation, &note).await?;
    }
    tx.channel_connections().received(connection.id).await?;
    tx.commit().await
}

/// Who called, and the conversation with them. Whoever hung up without a word is nobody new; whoever spoke is
/// somebody, so that nothing is kept of their words that does not go with them.
async fn participants(
    tx: &TenantTx,
    door: &Door,
    report: &VoiceReport,
) -> Result<(Option<ChannelContact>, Option<Conversation>)> {
    let (connection, call) = (&door.connection, &report.call);
    let spoke = report
        .messages
        .iter()
        .any(|(role, _)| *role == VoiceRole::User);
    let unsorted = report.messages.is_empty() && report.transcript.is_some();
    if spoke || unsorted {
        let contact = people::find_or_create(tx, connection, call).await?;
        let agent = people::agent(tx, connection).await?.map(|agent| agent.id);
        let conversation = people::conversation(tx, connection, &contact, agent).await?;
        return Ok((Some(contact), Some(conversation)));
    }
    let Some(contact) = people::known(tx, connection, call).await? else {
        return Ok((None, None));
    };
    let contacts = tx.channel_contacts();
    let conversation = match contacts.latest_conversation(contact.id).await? {
        Some(id) => Some(conversations::lock(tx, id).await?),
        None => None,
    };
    Ok((Some(contact), conversation))
}

/// A number of seconds or of millionths, which is never below zero.
fn whole(amount: f64) -> Option<i64> {
    let most = 1e15;
    if !(0.0..=most).contains(&amount) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
    let whole = amount.round() as i64;
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_rounded_to_millionths() {
        assert_eq!(whole(0.042_1 * 1e6), Some(42_100));
        assert_eq!(whole(90.5), Some(91));
        assert_eq!(whole(-1.0), None);
        assert_eq!(whole(f64::NAN), None);
    }
}
