//! What became of messages that were sent.

use super::envelope::Envelope;
use super::fields::{self, Refusal};
use crate::inbound::{ChannelEvent, StatusChange};
use serde_json::Value;

const MOST_MESSAGES: usize = 1_000;

/// Messages that arrived. Where Graph does not name them it is everything up to a moment.
pub(super) fn delivered(item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let envelope = Envelope::read(item)?;
    let delivery = fields::get(item, "delivery").ok_or("it is no object")?;
    let watermark = fields::moment(delivery, "watermark")?;
    let mids = fields::get(delivery, "mids").and_then(Value::as_array);
    let mids = mids.map(Vec::as_slice).unwrap_or_default();
    if mids.len() > MOST_MESSAGES {
        return Err("it names too many messages");
    }
    if mids.is_empty() {
        let at = watermark.ok_or("it names no message and no moment")?;
        return Ok(vec![envelope.status(StatusChange::Delivered, None, at)]);
    }
    let at = envelope.at().or_else(|missing| watermark.ok_or(missing))?;
    let mids = mids.iter().map(|mid| {
        let mid = mid.as_str().filter(|mid| !mid.is_empty());
        let mid = mid.ok_or("the message has no id")?;
        if mid.chars().count() > fields::LONGEST_ID {
            return Err("an id is too long");
        }
        Ok(envelope.status(StatusChange::Delivered, Some(mid.to_owned()), at))
    });
    mids.collect()
}

/// Messages that were read: Messenger says up to when, and Instagram says which.
pub(super) fn read(item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let envelope = Envelope::read(item)?;
    let read = fields::get(item, "read").ok_or("it is no object")?;
    if let Some(mid) = fields::id(read, "mid")? {
        let at = envelope.at()?;
        return Ok(vec![envelope.status(StatusChange::Read, Some(mid), at)]);
    }
    let at = fields::moment(read, "watermark")?.ok_or("it names no message and no moment")?;
    Ok(vec![envelope.status(StatusChange::Read, None, at)])
}
