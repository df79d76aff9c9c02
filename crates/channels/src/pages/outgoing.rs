//! Messages as Graph wants them.

use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaKind;
use crate::outbound::{ChoiceOption, OutboundContent, OutboundMedia};
use quipu_core::lead::Channel;
use serde_json::{Value, json};

const LONGEST_TEXT_OF_MESSENGER: usize = 2_000;
const MOST_TEXT_BYTES_OF_INSTAGRAM: usize = 1_000;
const MOST_QUICK_REPLIES: usize = 13;
const LONGEST_TITLE: usize = 20;

/// Whether a message is sent under the rule of 24 hours, or as the answer of a person, who has
/// seven days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendingTag {
    Response,
    HumanAgent,
}

/// The messages that a content becomes. A file has no caption on these channels: its words go
/// before.
pub(super) fn messages(
    channel: Channel,
    content: &OutboundContent,
) -> Result<Vec<Value>, SendFailure> {
    match content {
        OutboundContent::Text { text } => Ok(vec![words(channel, text)?]),
        OutboundContent::Choices { text, options, .. } => {
            Ok(vec![choices(words(channel, text)?, options)?])
        }
        OutboundContent::Template(_) => Err(refused("these channels have no templates")),
        OutboundContent::Media(media) => {
            let caption = media.caption.as_deref();
            let caption = caption.filter(|caption| !caption.trim().is_empty());
            let caption = caption.map(|caption| words(channel, caption));
            Ok(caption
                .into_iter()
                .chain([file(media)])
                .collect::<Result<_, _>>()?)
        }
    }
}

/// The request around a message.
pub(super) fn request(to: &str, message: &Value, tag: SendingTag) -> Value {
    let mut request = json!({ "recipient": { "id": to }, "message": message });
    match tag {
        SendingTag::Response => request["messaging_type"] = json!("RESPONSE"),
        SendingTag::HumanAgent => {
            request["messaging_type"] = json!("MESSAGE_TAG");
            request["tag"] = json!("HUMAN_AGENT");
        }
    }
    request
}

fn words(channel: Channel, text: &str) -> Result<Value, SendFailure> {
    let too_long = if channel == Channel::Instagram {
        text.len() > MOST_TEXT_BYTES_OF_INSTAGRAM
    } else {
        text.chars().count() > LONGEST_TEXT_OF_MESSENGER
    };
    if too_long {
        return Err(refused("the text is longer than the channel takes"));
    }
    if text.trim().is_empty() {
        return Err(refused("the message is empty"));
    }
    Ok(json!({ "text": text }))
}

fn choices(mut message: Value, options: &[ChoiceOption]) -> Result<Value, SendFailure> {
    if options.len() > MOST_QUICK_REPLIES {
        return Err(refused("the channel shows no more than 13 choices"));
    }
    if !options.is_empty() {
        message["quick_replies"] = options.iter().map(quick_reply).collect();
    }
    Ok(message)
}

fn quick_reply(option: &ChoiceOption) -> Value {
    json!({
        "content_type": "text",
        "title": shortened(&option.title),
        "payload": option.id,
    })
}

/// A title that fits on a button, cut between two words where there are some.
fn shortened(title: &str) -> String {
    let title = title.trim();
    if title.chars().count() <= LONGEST_TITLE {
        return title.to_owned();
    }
    let kept: String = title.chars().take(LONGEST_TITLE - 1).collect();
    let rest = &title[kept.len()..];
    let in_a_word = !rest.starts_with(char::is_whitespace);
    let words = kept.rfind(char::is_whitespace).filter(|_| in_a_word);
    let kept = words.map_or(kept.as_str(), |end| &kept[..end]);
    format!("{}…", kept.trim_end())
}

fn file(media: &OutboundMedia) -> Result<Value, SendFailure> {
    let kind = match media.media {
        MediaKind::Image | MediaKind::Sticker => "image",
        MediaKind::Audio => "audio",
        MediaKind::Video => "video",
        MediaKind::Document => "file",
    };
    if media.url.trim().is_empty() {
        return Err(refused("the file has no address"));
    }
    Ok(json!({ "attachment": { "type": kind, "payload": { "url": media.url } } }))
}

fn refused(reason: &str) -> SendFailure {
    SendFailure::new(FailureKind::Rejected, None, reason)
}
