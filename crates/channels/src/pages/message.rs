//! Messages, and the echoes of those that the business wrote.

use super::attachments::{self, Attached};
use super::delivery::other;
use super::envelope::Envelope;
use super::fields::{self, Refusal};
use crate::inbound::{ChannelEvent, InboundContent, InboundMessage};
use quipu_core::lead::Channel;
use serde_json::{Value, json};

/// The inboxes of Meta itself, for pages and for Instagram. Who writes there is a person.
const INBOXES: [&str; 2] = ["263902037430900", "1217981644879628"];
/// What is known of an advertisement or a shared post is kept up to here.
const MOST_REFERRAL_BYTES: usize = 20_000;

pub(super) fn read(channel: Channel, item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    let message = fields::get(item, "message").filter(|message| message.is_object());
    let message = message.ok_or("the message is no object")?;
    let envelope = Envelope::read(item)?;
    if envelope.sender == envelope.recipient {
        // An account of Instagram may write to itself.
        return Ok(other("self"));
    }
    let is_echo = fields::flag(message, "is_echo");
    let mid = fields::id(message, "mid")?.ok_or("the message has no id")?;
    let (first_id, contents, unread) = if fields::flag(message, "is_deleted") {
        // The id of what a customer wrote was used up when it came, and what the business wrote is
        // known by it.
        let id = if is_echo {
            mid.clone()
        } else {
            fields::derived("deleted", &[&mid])
        };
        (id, vec![InboundContent::Deleted { message_id: mid }], None)
    } else {
        let (contents, unread) = contents(channel, message)?;
        (mid, contents, unread)
    };
    let referral = referral(message, unread);
    let reply_to = match fields::get(message, "reply_to") {
        Some(reply_to) => fields::id(reply_to, "mid")?,
        None => None,
    };
    let mut events = Vec::with_capacity(contents.len());
    for (index, content) in contents.into_iter().enumerate() {
        let id = numbered(&first_id, index)?;
        events.push(if is_echo {
            ChannelEvent::Echo(envelope.echo(id, content, app_id(message)?)?)
        } else {
            ChannelEvent::Message(InboundMessage {
                reply_to: reply_to.clone(),
                referral: referral.clone().filter(|_| index == 0),
                ..envelope.message(id, content)?
            })
        });
    }
    Ok(events)
}

/// Each attachment is a message of its own here.
fn numbered(mid: &str, index: usize) -> Result<String, Refusal> {
    if index == 0 {
        return Ok(mid.to_owned());
    }
    let id = format!("{mid}#{index}");
    if id.chars().count() > fields::LONGEST_ID {
        return Err("an id is too long");
    }
    Ok(id)
}

fn app_id(message: &Value) -> Result<Option<String>, Refusal> {
    let app_id = fields::id(message, "app_id")?;
    Ok(app_id.filter(|app_id| !INBOXES.contains(&app_id.as_str())))
}

type Contents<'a> = (Vec<InboundContent>, Option<&'a Value>);

/// What a message says, in at least one piece, and an attachment that nothing can be made of.
fn contents(channel: Channel, message: &Value) -> Result<Contents<'_>, Refusal> {
    if fields::flag(message, "is_unsupported") {
        return Ok((vec![unsupported("unsupported")], None));
    }
    let text = fields::text(message, "text")?;
    let quick_reply = fields::get(message, "quick_reply");
    let payload = quick_reply.map(|reply| fields::payload(reply, "payload"));
    if let Some(id) = payload.transpose()?.flatten() {
        let title = text.unwrap_or_else(|| id.clone());
        return Ok((vec![InboundContent::Choice { id, title }], None));
    }
    let Attached { contents, unread } = attachments::read(channel, message)?;
    Ok((joined(text, contents, unread), unread))
}

/// The text goes with the first file. A link that is shown with a preview is a text and no more.
fn joined(
    text: Option<String>,
    mut contents: Vec<InboundContent>,
    unread: Option<&Value>,
) -> Vec<InboundContent> {
    let unread = unread.map(|attachment| fields::word(attachment, "type"));
    match text {
        Some(text) => {
            if let Some(InboundContent::Media(media)) = contents.first_mut() {
                media.caption = Some(text);
            } else {
                contents.insert(0, InboundContent::Text { text });
            }
        }
        None if unread.is_some() => {
            let what = unread.flatten();
            contents.push(unsupported(what.as_deref().unwrap_or("attachment")));
        }
        None if contents.is_empty() => contents.push(unsupported("empty")),
        None => {}
    }
    contents
}

fn unsupported(what: &str) -> InboundContent {
    let what = what.to_owned();
    InboundContent::Unsupported { what }
}

/// Where the message came from: an advertisement, a story that it answers, or a post that is shared
/// with it.
fn referral(message: &Value, unread: Option<&Value>) -> Option<Value> {
    if let Some(referral) = fields::get(message, "referral") {
        return bounded(referral.clone());
    }
    let story = fields::get(message, "reply_to").and_then(|reply| fields::get(reply, "story"));
    if let Some(story) = story {
        return bounded(json!({ "story": story }));
    }
    let shared = unread?;
    let kind = fields::word(shared, "type")?;
    let payload = fields::get(shared, "payload")?;
    bounded(json!({ (kind): payload }))
}

pub(super) fn bounded(referral: Value) -> Option<Value> {
    let fits = referral.is_object() && referral.to_string().len() <= MOST_REFERRAL_BYTES;
    fits.then_some(referral)
}
