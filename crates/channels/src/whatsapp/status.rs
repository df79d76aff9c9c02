//! What became of messages that were sent.

use super::envelope::Envelope;
use super::fields::{Reason, filled, id, moment, name, own_id, phone, word};
use crate::inbound::{ChannelEvent, SenderIdentity, StatusChange, StatusUpdate};
use serde_json::Value;

/// What WhatsApp takes as a reference, and so what comes back.
const LONGEST_REFERENCE: usize = 512;
/// A failure without a code. Those of WhatsApp are not negative.
const NO_CODE: i64 = -1;

/// Reads one state.
pub(super) fn status(envelope: &Envelope, item: &Value) -> Result<ChannelEvent, Reason> {
    let Some(change) = change(item) else {
        let state = word(filled(item, "status").unwrap_or_default());
        return Ok(ChannelEvent::Other {
            kind: format!("messages.status.{state}"),
        });
    };
    let pricing = item.get("pricing").unwrap_or(&Value::Null);
    let reference = filled(item, "biz_opaque_callback_data");
    Ok(ChannelEvent::Status(StatusUpdate {
        account_id: envelope.account_id.clone(),
        message_id: Some(own_id(item)?),
        up_to: false,
        recipient: recipient(envelope, item)?,
        change,
        at: moment(item)?,
        reference: reference
            .filter(|reference| reference.len() <= LONGEST_REFERENCE)
            .map(str::to_owned),
        category: filled(pricing, "category").map(|category| word(category).to_lowercase()),
        billable: is_billable(pricing),
    }))
}

fn change(item: &Value) -> Option<StatusChange> {
    Some(match filled(item, "status")? {
        "sent" => StatusChange::Sent,
        "delivered" => StatusChange::Delivered,
        "read" => StatusChange::Read,
        "played" => StatusChange::Played,
        "deleted" => StatusChange::Deleted,
        "failed" => failed(item),
        _ => return None,
    })
}

fn failed(item: &Value) -> StatusChange {
    let error = item.pointer("/errors/0").unwrap_or(&Value::Null);
    StatusChange::Failed {
        code: error.get("code").and_then(Value::as_i64).unwrap_or(NO_CODE),
        title: name(error, "title").unwrap_or_default(),
    }
}

/// In a group the recipient is the group, and whoever received the message is told apart.
fn recipient(envelope: &Envelope, item: &Value) -> Result<SenderIdentity, Reason> {
    let (number, user_id) = if filled(item, "recipient_type") == Some("group") {
        ("recipient_participant_id", "recipient_participant_user_id")
    } else {
        ("recipient_id", "recipient_user_id")
    };
    envelope.identity(phone(item, number), id(item, user_id)?)
}

/// Whether it is charged. What says so outright is going away, and what it is charged as stays.
fn is_billable(pricing: &Value) -> Option<bool> {
    let outright = pricing.get("billable").and_then(Value::as_bool);
    outright.or_else(|| match filled(pricing, "type")? {
        "regular" => Some(true),
        free if free.starts_with("free_") => Some(false),
        _ => None,
    })
}
