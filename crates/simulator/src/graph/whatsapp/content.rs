//! What a message says, and whether it may.

use super::{interactive, template};
use crate::account::SimulatedAccount;
use crate::graph::error::GraphError;
use crate::message::MessageFile;
use crate::outgoing::Outgoing;
use serde_json::Value;
use url::Url;

const MOST_TEXT_CHARS: usize = 4096;
const MOST_CAPTION_CHARS: usize = 1024;
const MOST_REFERENCE_CHARS: usize = 512;

pub(super) fn read(account: &SimulatedAccount, body: &Value) -> Result<Outgoing, GraphError> {
    let kind = match &body["type"] {
        Value::Null => "text",
        kind => kind
            .as_str()
            .ok_or_else(|| GraphError::parameter("Param type must be a string."))?,
    };
    let content = &body[kind];
    if !content.is_object() {
        return Err(GraphError::missing(kind));
    }
    let mut outgoing = match kind {
        "text" => text(content)?,
        "interactive" => interactive::read(content)?,
        "template" => template::read(account, content)?,
        "image" | "audio" | "video" | "document" | "sticker" => file(kind, content)?,
        "reaction" => {
            required(content, "message_id", 500)?;
            let mut outgoing = Outgoing::new(kind);
            outgoing.text = content["emoji"].as_str().map(str::to_owned);
            outgoing
        }
        "location" => {
            if !content["latitude"].is_number() || !content["longitude"].is_number() {
                return Err(GraphError::missing(
                    "location['latitude'] and location['longitude']",
                ));
            }
            let mut outgoing = Outgoing::new(kind);
            outgoing.text = content["name"].as_str().map(str::to_owned);
            outgoing
        }
        _ => {
            return Err(GraphError::parameter(
                "Param type must be one of {AUDIO, DOCUMENT, IMAGE, INTERACTIVE, LOCATION, REACTION, STICKER, TEMPLATE, TEXT, VIDEO}",
            ));
        }
    };
    outgoing.reference = match &body["biz_opaque_callback_data"] {
        Value::Null => None,
        _ => Some(required(body, "biz_opaque_callback_data", MOST_REFERENCE_CHARS)?.to_owned()),
    };
    outgoing.reply_to = match &body["context"] {
        Value::Null => None,
        answered => Some(required(answered, "message_id", 500)?.to_owned()),
    };
    Ok(outgoing)
}

fn text(content: &Value) -> Result<Outgoing, GraphError> {
    let mut outgoing = Outgoing::new("text");
    outgoing.text = Some(required_in("text", content, "body", MOST_TEXT_CHARS)?.to_owned());
    if !content["preview_url"].is_null() && !content["preview_url"].is_boolean() {
        return Err(GraphError::parameter(
            "Param text['preview_url'] must be a boolean.",
        ));
    }
    Ok(outgoing)
}

/// A file behind an address. Files that were uploaded before are not known here.
fn file(kind: &str, content: &Value) -> Result<Outgoing, GraphError> {
    if !content["id"].is_null() {
        let details = format!("{kind}['id'] is not that of a file that was uploaded");
        return Err(GraphError::value(details));
    }
    let link = required_in(kind, content, "link", 2000)?;
    let is_web = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    if !Url::parse(link).is_ok_and(is_web) {
        return Err(GraphError::parameter(format!(
            "Param {kind}['link'] is not a valid URI."
        )));
    }
    for (name, kinds, most) in [
        (
            "caption",
            &["image", "video", "document"][..],
            MOST_CAPTION_CHARS,
        ),
        ("filename", &["document"], 240),
    ] {
        if content[name].is_null() {
            continue;
        }
        if !kinds.contains(&kind) {
            return Err(GraphError::parameter(format!(
                "Unexpected key \"{name}\" on param \"{kind}\"."
            )));
        }
        required_in(kind, content, name, most)?;
    }
    let mut outgoing = Outgoing::new(kind);
    outgoing.text = content["caption"].as_str().map(str::to_owned);
    outgoing.file = Some(MessageFile {
        media: kind.to_owned(),
        file_id: None,
        url: Some(link.to_owned()),
        mime_type: None,
        filename: content["filename"].as_str().map(str::to_owned),
    });
    Ok(outgoing)
}

/// A text that has to be there, up to a length.
pub(super) fn required<'a>(
    value: &'a Value,
    name: &str,
    most: usize,
) -> Result<&'a str, GraphError> {
    within(&value[name], name, most)
}

pub(super) fn required_in<'a>(
    parent: &str,
    value: &'a Value,
    name: &str,
    most: usize,
) -> Result<&'a str, GraphError> {
    within(&value[name], &format!("{parent}['{name}']"), most)
}

fn within<'a>(value: &'a Value, name: &str, most: usize) -> Result<&'a str, GraphError> {
    let text = match value {
        Value::Null => return Err(GraphError::missing(name)),
        Value::String(text) => text,
        _ => {
            return Err(GraphError::parameter(format!(
                "Param {name} must be a string."
            )));
        }
    };
    if text.is_empty() {
        return Err(GraphError::missing(name));
    }
    if text.chars().count() > most {
        return Err(GraphError::parameter(format!(
            "Param {name} must be at most {most} characters long."
        )));
    }
    Ok(text)
}
