//! What a message to a page's customer says, and whether it may.

use crate::account::SimulatedChannel;
use crate::graph::error::GraphError;
use crate::message::{MessageFile, MessageOption, OptionSource};
use crate::outgoing::Outgoing;
use serde_json::Value;
use url::Url;

const MOST_MESSENGER_CHARS: usize = 2000;
const MOST_INSTAGRAM_BYTES: usize = 1000;
const MOST_QUICK_REPLIES: usize = 13;
const MOST_TITLE_CHARS: usize = 20;
const MOST_PAYLOAD_CHARS: usize = 1000;

pub(super) fn read(channel: SimulatedChannel, message: &Value) -> Result<Outgoing, GraphError> {
    let mut outgoing = match (&message["text"], &message["attachment"]) {
        (Value::String(text), Value::Null) => {
            check_text(channel, text)?;
            let mut outgoing = Outgoing::new("text");
            outgoing.text = Some(text.clone());
            outgoing
        }
        (Value::Null, attachment @ Value::Object(_)) => attached(attachment)?,
        (Value::Null, Value::Null) => {
            return Err(GraphError::parameter("Empty text").subcode(2_018_109));
        }
        (Value::String(_), _) => {
            return Err(GraphError::parameter(
                "text and attachment cannot be sent together.",
            ));
        }
        _ => {
            return Err(GraphError::parameter(
                "Param message[text] must be a string.",
            ));
        }
    };
    if !message["quick_replies"].is_null() {
        outgoing.options = quick_replies(&message["quick_replies"])?;
        outgoing.kind = "choices".to_owned();
    }
    Ok(outgoing)
}

fn check_text(channel: SimulatedChannel, text: &str) -> Result<(), GraphError> {
    if text.trim().is_empty() {
        return Err(GraphError::parameter("Empty text").subcode(2_018_109));
    }
    let too_long = if channel == SimulatedChannel::Instagram {
        text.len() > MOST_INSTAGRAM_BYTES
    } else {
        text.chars().count() > MOST_MESSENGER_CHARS
    };
    if too_long {
        let limit = if channel == SimulatedChannel::Instagram {
            format!("{MOST_INSTAGRAM_BYTES} bytes")
        } else {
            MOST_MESSENGER_CHARS.to_string()
        };
        return Err(GraphError::parameter(format!(
            "Length of param message[text] must be less than or equal to {limit}"
        )));
    }
    Ok(())
}

fn quick_replies(replies: &Value) -> Result<Vec<MessageOption>, GraphError> {
    let replies = replies.as_array().map_or(&[][..], Vec::as_slice);
    if !(1..=MOST_QUICK_REPLIES).contains(&replies.len()) {
        return Err(GraphError::parameter(format!(
            "Param message[quick_replies] must have 1 to {MOST_QUICK_REPLIES} elements."
        )));
    }
    let options = replies.iter().map(|reply| {
        if reply["content_type"] != "text" {
            return Err(GraphError::parameter(
                "Param message[quick_replies][content_type] must be one of {text}.",
            ));
        }
        tapped(
            &reply["title"],
            &reply["payload"],
            "quick_replies",
            OptionSource::QuickReply,
        )
    });
    options.collect()
}

fn tapped(
    title: &Value,
    payload: &Value,
    name: &str,
    source: OptionSource,
) -> Result<MessageOption, GraphError> {
    let text = |value: &Value, part: &str, most: usize| {
        let fits = |text: &&str| !text.is_empty() && text.chars().count() <= most;
        let text = value.as_str().filter(fits).map(str::to_owned);
        text.ok_or_else(|| {
            GraphError::parameter(format!(
                "Length of param message[{name}][{part}] must be 1 to {most}"
            ))
        })
    };
    Ok(MessageOption {
        id: text(payload, "payload", MOST_PAYLOAD_CHARS)?,
        title: text(title, "title", MOST_TITLE_CHARS)?,
        description: None,
        source,
    })
}

/// A file behind an address, or words with buttons.
fn attached(attachment: &Value) -> Result<Outgoing, GraphError> {
    let payload = &attachment["payload"];
    match attachment["type"].as_str() {
        Some(kind @ ("image" | "audio" | "video" | "file")) => {
            let url = payload["url"].as_str().unwrap_or_default();
            let is_web = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
            if !Url::parse(url).is_ok_and(is_web) {
                return Err(GraphError::parameter(
                    "Param attachment[payload][url] is not a valid URI.",
                ));
            }
            let media = if kind == "file" { "document" } else { kind };
            let mut outgoing = Outgoing::new(media);
            outgoing.file = Some(MessageFile {
                media: media.to_owned(),
                file_id: None,
                url: Some(url.to_owned()),
                mime_type: None,
                filename: None,
            });
            Ok(outgoing)
        }
        Some("template") if payload["template_type"] == "button" => {
            let text = payload["text"].as_str().unwrap_or_default();
            if text.is_empty() || text.chars().count() > 640 {
                return Err(GraphError::parameter(
                    "Length of param payload[text] must be 1 to 640",
                ));
            }
            let buttons = payload["buttons"].as_array().map_or(&[][..], Vec::as_slice);
            if !(1..=3).contains(&buttons.len()) {
                return Err(GraphError::parameter(
                    "Param payload[buttons] must have 1 to 3 elements.",
                ));
            }
            let mut outgoing = Outgoing::new("choices");
            outgoing.text = Some(text.to_owned());
            let postbacks = buttons.iter().filter(|button| button["type"] != "web_url");
            let options = postbacks.map(|button| {
                if button["type"] != "postback" {
                    return Err(GraphError::parameter(
                        "Param button[type] must be one of {postback, web_url}.",
                    ));
                }
                tapped(
                    &button["title"],
                    &button["payload"],
                    "buttons",
                    OptionSource::Postback,
                )
            });
            outgoing.options = options.collect::<Result<_, _>>()?;
            Ok(outgoing)
        }
        _ => Err(GraphError::parameter(
            "Param attachment[type] must be one of {audio, file, image, template, video}.",
        )),
    }
}
