//! What customers do without writing a message: tapping, correcting, and reacting.

use super::delivery::other;
use super::envelope::Envelope;
use super::fields::{self, Refusal};
use super::message::bounded;
use crate::inbound::{ChannelEvent, InboundContent, InboundMessage};
use serde_json::Value;

/// A button that was tapped.
pub(super) fn postback(item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let (envelope, postback) = read(item, "postback")?;
    let title = fields::text(postback, "title")?;
    let content = match (fields::payload(postback, "payload")?, title) {
        (Some(id), title) => {
            let title = title.unwrap_or_else(|| id.clone());
            InboundContent::Choice { id, title }
        }
        (None, Some(text)) => InboundContent::Text { text },
        (None, None) => return Err("nothing stands on the button"),
    };
    let id = if let Some(mid) = fields::id(postback, "mid")? {
        mid
    } else {
        let at = envelope.at()?.to_string();
        fields::derived("postback", &[&envelope.sender, &at])
    };
    let referral = fields::get(postback, "referral").cloned();
    let message = envelope.message(id, content)?;
    Ok(vec![ChannelEvent::Message(InboundMessage {
        referral: referral.and_then(bounded),
        ..message
    })])
}

/// A message that says something else now.
pub(super) fn edit(item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let edits = fields::get(item, "message_edit").and_then(|edit| fields::get(edit, "num_edit"));
    let is_first = edits.is_some_and(|edits| edits == 0 || edits == "0");
    if is_first || fields::get(item, "sender").is_none() {
        // Instagram tells of a message that nobody has corrected in this way too.
        return Ok(other("message_edit"));
    }
    let (envelope, edit) = read(item, "message_edit")?;
    let message_id = fields::id(edit, "mid")?.ok_or("the message has no id")?;
    let count = edits.map(Value::to_string).unwrap_or_default();
    let at = envelope.at()?.to_string();
    let id = fields::derived("edit", &[&message_id, &count, &at]);
    let text = fields::text(edit, "text")?;
    one(&envelope, id, InboundContent::Edited { message_id, text })
}

/// A reaction, or that it was taken back.
pub(super) fn reaction(item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let (envelope, reaction) = read(item, "reaction")?;
    let message_id = fields::id(reaction, "mid")?.ok_or("the message has no id")?;
    let emoji = if fields::word(reaction, "action").as_deref() == Some("unreact") {
        None
    } else {
        let emoji = fields::id(reaction, "emoji")?;
        emoji.or(fields::id(reaction, "reaction")?)
    };
    let at = envelope.at()?.to_string();
    let parts = [
        &message_id,
        &envelope.sender,
        emoji.as_deref().unwrap_or_default(),
        &at,
    ];
    let id = fields::derived("reaction", &parts);
    one(
        &envelope,
        id,
        InboundContent::Reaction { emoji, message_id },
    )
}

fn read<'a>(item: &'a Value, name: &str) -> Result<(Envelope, &'a Value), Refusal> {
    let found = fields::get(item, name).filter(|found| found.is_object());
    Ok((Envelope::read(item)?, found.ok_or("it is no object")?))
}

fn one(
    envelope: &Envelope,
    id: String,
    content: InboundContent,
) -> Result<Vec<ChannelEvent>, Refusal> {
    Ok(vec![ChannelEvent::Message(envelope.message(id, content)?)])
}
