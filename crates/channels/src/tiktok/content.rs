//! What stands in one message.

use super::fields::{LONGEST_TEXT, id, id_if_any, name, refused, url};
use super::media::Handle;
use crate::inbound::{InboundContent, MediaKind, MediaReference, RefusedItem};
use serde_json::Value;

/// How many reactions of one message are read.
const MOST_REACTIONS: usize = 1_000;

pub(super) struct Message {
    pub(super) id: String,
    pub(super) content: InboundContent,
    pub(super) reply_to: Option<String>,
}

/// Reads a message, or each of the reactions that came as one. None is left of reactions that cannot
/// be told in a sign.
pub(super) fn read_message(
    content: &Value,
    conversation_id: &str,
) -> Result<Vec<Message>, RefusedItem> {
    let message_id = id(content, "content", "message_id")?;
    if content["type"] == "reaction" {
        return reactions(content, &message_id);
    }
    let referenced = &content["referenced_message_info"];
    let place = "content.referenced_message_info";
    Ok(vec![Message {
        content: read_content(content, conversation_id, &message_id)?,
        reply_to: id_if_any(referenced, place, "referenced_message_id")?,
        id: message_id,
    }])
}

fn read_content(
    content: &Value,
    conversation_id: &str,
    message_id: &str,
) -> Result<InboundContent, RefusedItem> {
    let kind = content["type"].as_str().unwrap_or_default();
    let file = |media| file(content, kind, media, conversation_id, message_id);
    match kind {
        "text" => text(content),
        "image" => file(MediaKind::Image),
        "video" => file(MediaKind::Video),
        "sticker" | "emoji" => Ok(picture(&content[kind]["url"], kind)),
        "share_post" => Ok(shared(&content["share_post"]["embed_url"])),
        "template" => card(&content["template"]),
        other => Ok(unsupported(
            name(&Value::from(other)).as_deref().unwrap_or("unknown"),
        )),
    }
}

/// Words, or a button of a card, which comes as the words on it with the id that it was given.
fn text(content: &Value) -> Result<InboundContent, RefusedItem> {
    let Some(text) = within(&content["text"]["body"], "content.text.body")? else {
        return Ok(unsupported("text"));
    };
    let source = &content["reply_source_payload"];
    let place = "content.reply_source_payload";
    Ok(match id_if_any(source, place, "reply_source_unique_id")? {
        Some(id) => InboundContent::Choice { id, title: text },
        None => InboundContent::Text { text },
    })
}

fn within(value: &Value, path: &str) -> Result<Option<String>, RefusedItem> {
    let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    if text.chars().count() > LONGEST_TEXT {
        return Err(refused(path, "it is too long"));
    }
    Ok(Some(text.to_owned()))
}

/// A file that `TikTok` gives out for the three ids of it together.
fn file(
    content: &Value,
    kind: &str,
    media: MediaKind,
    conversation_id: &str,
    message_id: &str,
) -> Result<InboundContent, RefusedItem> {
    let media_id = id(&content[kind], &format!("content.{kind}"), "media_id")?;
    let handle = Handle {
        conversation: conversation_id.to_owned(),
        message: message_id.to_owned(),
        file: media_id,
    };
    Ok(reference(media, Some(handle.packed()), None))
}

/// A sticker, which is behind an address that anybody may read.
fn picture(address: &Value, kind: &str) -> InboundContent {
    match url(address) {
        Some(address) => reference(MediaKind::Sticker, None, Some(address)),
        None => unsupported(kind),
    }
}

fn reference(media: MediaKind, id: Option<String>, url: Option<String>) -> InboundContent {
    InboundContent::Media(MediaReference {
        media,
        id,
        url,
        mime_type: None,
        sha256: None,
        filename: None,
        caption: None,
        recorded: false,
    })
}

/// A video of `TikTok` that was passed on. Its address is that of a page, so it is not a file.
fn shared(address: &Value) -> InboundContent {
    match url(address) {
        Some(text) => InboundContent::Text { text },
        None => unsupported("share_post"),
    }
}

/// A question with buttons, of which only the business has some.
fn card(template: &Value) -> Result<InboundContent, RefusedItem> {
    let title = &template["elements"][0]["title"];
    let title = within(title, "content.template.elements[0].title")?;
    Ok(title.map_or_else(
        || unsupported("template"),
        |text| InboundContent::Text { text },
    ))
}

fn unsupported(what: &str) -> InboundContent {
    InboundContent::Unsupported {
        what: what.to_owned(),
    }
}

fn reactions(content: &Value, message_id: &str) -> Result<Vec<Message>, RefusedItem> {
    let Some(listed) = content["reaction"].as_array() else {
        return Err(refused("content.reaction", "it is not a list"));
    };
    let mut read = Vec::new();
    for (index, reaction) in listed.iter().take(MOST_REACTIONS).enumerate() {
        let place = format!("content.reaction[{index}]");
        let taken_back = reaction["operation"] == "REMOVE";
        let emoji = name(&reaction["emoji"]);
        // A drawn one has no sign, and without a sign it would count as taken back.
        if emoji.is_none() && !taken_back {
            continue;
        }
        read.push(Message {
            // Several in one message would be taken for the same one, delivered twice.
            id: match index {
                0 => message_id.to_owned(),
                _ => format!("{message_id}#{index}"),
            },
            content: InboundContent::Reaction {
                emoji: emoji.filter(|_| !taken_back),
                message_id: id(reaction, &place, "original_msg_id")?,
            },
            reply_to: None,
        });
    }
    Ok(read)
}
