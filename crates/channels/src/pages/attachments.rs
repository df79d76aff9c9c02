//! What is attached to a message.

use super::fields::{self, Refusal};
use crate::inbound::{InboundContent, MediaKind, MediaReference};
use quipu_core::lead::Channel;
use serde_json::Value;

const MOST_ATTACHMENTS: usize = 1_000;
const LONGEST_NAME: usize = 100;

/// What could be read, and the first attachment that could not.
#[derive(Default)]
pub(super) struct Attached<'a> {
    pub(super) contents: Vec<InboundContent>,
    pub(super) unread: Option<&'a Value>,
}

pub(super) fn read(channel: Channel, message: &Value) -> Result<Attached<'_>, Refusal> {
    let mut attached = Attached::default();
    let Some(list) = fields::get(message, "attachments").and_then(Value::as_array) else {
        // Some likes come with the number of the sticker alone.
        let sticker = fields::id(message, "sticker_id")?;
        attached
            .contents
            .extend(sticker.map(|id| sticker_of(Some(id), None)));
        return Ok(attached);
    };
    if list.len() > MOST_ATTACHMENTS {
        return Err("it has too many attachments");
    }
    // While Graph went from images to stickers it sent each sticker as both.
    let has_stickers = list.iter().any(|attachment| kind(attachment) == "sticker");
    for attachment in list {
        match content(channel, attachment)? {
            Some((_, true)) if has_stickers && kind(attachment) == "image" => {}
            Some((content, _)) => attached.contents.push(content),
            None => attached.unread = attached.unread.or(Some(attachment)),
        }
    }
    Ok(attached)
}

fn kind(attachment: &Value) -> &str {
    let kind = fields::get(attachment, "type").and_then(Value::as_str);
    kind.unwrap_or_default()
}

/// One attachment, and whether it is a sticker.
fn content(
    channel: Channel,
    attachment: &Value,
) -> Result<Option<(InboundContent, bool)>, Refusal> {
    let Some(payload) = fields::get(attachment, "payload") else {
        return Ok(None);
    };
    let url = fields::address(payload, "url")?;
    let sticker = fields::id(payload, "sticker_id")?;
    let media = match kind(attachment) {
        "sticker" | "image" if sticker.is_some() => {
            return Ok(Some((sticker_of(sticker, url), true)));
        }
        "sticker" => MediaKind::Sticker,
        "image" => MediaKind::Image,
        "audio" => MediaKind::Audio,
        "video" => MediaKind::Video,
        "file" => MediaKind::Document,
        "location" => return Ok(location(attachment, payload).map(|place| (place, false))),
        _ => return Ok(None),
    };
    let file = url.map(|url| MediaReference {
        // Nobody can send any other sound from the application of Instagram.
        recorded: media == MediaKind::Audio && channel == Channel::Instagram,
        ..reference(media, None, Some(url))
    });
    Ok(file.map(|file| (InboundContent::Media(file), media == MediaKind::Sticker)))
}

fn sticker_of(id: Option<String>, url: Option<String>) -> InboundContent {
    InboundContent::Media(reference(MediaKind::Sticker, id, url))
}

const fn reference(media: MediaKind, id: Option<String>, url: Option<String>) -> MediaReference {
    MediaReference {
        media,
        id,
        url,
        mime_type: None,
        sha256: None,
        filename: None,
        caption: None,
        recorded: false,
    }
}

fn location(attachment: &Value, payload: &Value) -> Option<InboundContent> {
    let coordinates = fields::get(payload, "coordinates")?;
    let read = |name, most: f64| {
        let degrees = fields::get(coordinates, name)?.as_f64()?;
        (degrees.abs() <= most).then_some(degrees)
    };
    Some(InboundContent::Location {
        latitude: read("lat", 90.0)?,
        longitude: read("long", 180.0)?,
        name: name(attachment),
        address: None,
    })
}

fn name(attachment: &Value) -> Option<String> {
    let title = fields::get(attachment, "title")?.as_str()?;
    Some(title.chars().take(LONGEST_NAME).collect()).filter(|name: &String| !name.is_empty())
}
