//! Messages of customers, and those that somebody of the business wrote from their phone.

use super::content;
use super::envelope::Envelope;
use super::fields::{Reason, data, filled, id, moment, own_id, phone, word};
use crate::inbound::{ChannelEvent, InboundContent, InboundMessage, MessageEcho};
use serde_json::Value;

/// Reads one message that came.
pub(super) fn message(envelope: &Envelope, item: &Value) -> Result<ChannelEvent, Reason> {
    if let Some(event) = silent(item) {
        return Ok(event);
    }
    if filled(item, "type") == Some("system") {
        return system(item);
    }
    let sender = envelope.identity(phone(item, "from"), id(item, "from_user_id")?)?;
    if sender.user_id.is_none() && sender.phone.is_none() {
        return Err("whoever sent it is not there");
    }
    let context = item.get("context").unwrap_or(&Value::Null);
    Ok(ChannelEvent::Message(InboundMessage {
        account_id: envelope.account_id.clone(),
        sender,
        id: own_id(item)?,
        at: moment(item)?,
        content: content::read(item)?,
        reply_to: id(context, "id")?,
        // The message counts for more than the advertisement, so one that is too long is left out.
        referral: item
            .get("referral")
            .filter(|referral| referral.is_object())
            .and_then(|referral| data(referral).ok()),
    }))
}

/// Reads one message that the business wrote elsewhere.
///
/// That a person wrote counts even where what they wrote cannot be read.
pub(super) fn echo(envelope: &Envelope, item: &Value) -> Result<ChannelEvent, Reason> {
    if let Some(event) = silent(item) {
        return Ok(event);
    }
    let recipient = envelope.identity(phone(item, "to"), id(item, "to_user_id")?)?;
    if recipient.user_id.is_none() && recipient.phone.is_none() {
        return Err("whomever it was written to is not there");
    }
    let content = content::read(item).unwrap_or_else(|_| InboundContent::Unsupported {
        what: word(filled(item, "type").unwrap_or_default()).to_owned(),
    });
    Ok(ChannelEvent::Echo(MessageEcho {
        account_id: envelope.account_id.clone(),
        recipient,
        id: own_id(item)?,
        at: moment(item)?,
        content,
        app_id: None,
    }))
}

/// What looks like a message and is none to answer.
///
/// What is written in a group is written to others, and its writer would be answered alone.
fn silent(item: &Value) -> Option<ChannelEvent> {
    let interactive = item.get("interactive").unwrap_or(&Value::Null);
    let kind = if filled(item, "group_id").is_some() {
        "messages.group"
    } else if filled(item, "type") == Some("request_welcome") {
        "messages.request_welcome"
    } else if filled(interactive, "type") == Some("call_permission_reply") {
        "messages.call_permission_reply"
    } else {
        return None;
    };
    Some(ChannelEvent::Other {
        kind: kind.to_owned(),
    })
}

/// Reads what WhatsApp itself tells of a customer.
fn system(item: &Value) -> Result<ChannelEvent, Reason> {
    let system = item.get("system").unwrap_or(&Value::Null);
    let kind = filled(system, "type").unwrap_or_default();
    // Older versions name it after the customer, and the number `new_wa_id`.
    if matches!(kind, "user_changed_number" | "customer_changed_number") {
        let from = phone(system, "customer").or_else(|| phone(item, "from"));
        let to = phone(system, "wa_id").or_else(|| phone(system, "new_wa_id"));
        if let (Some(from), Some(to)) = (from, to) {
            let at = moment(item)?;
            return Ok(ChannelEvent::NumberChanged { from, to, at });
        }
    }
    Ok(ChannelEvent::Other {
        kind: format!("messages.system.{}", word(kind)),
    })
}
