//! Messages, as Graph takes them.

use super::{choices, fields, graph};
use crate::account::ChannelAccount;
use crate::client::ChannelClient;
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaKind;
use crate::outbound::{OutboundContent, OutboundMedia, Recipient, SentMessage, TemplateMessage};
use serde_json::{Value, json};

/// The bounds of WhatsApp, in characters.
const LONGEST_TEXT: usize = 4_096;
const LONGEST_CAPTION: usize = 1_024;
const LONGEST_REFERENCE: usize = 512;

/// Sends a message. `reference` comes back with its states.
///
/// # Errors
/// What WhatsApp said, or what of the message it takes from nobody.
pub(crate) async fn send(
    client: &ChannelClient,
    account: &ChannelAccount,
    to: &Recipient,
    content: &OutboundContent,
    reference: &str,
) -> Result<SentMessage, SendFailure> {
    let body = message(to, content, reference)?;
    let answer = graph::post(client, account, &[&account.account_id, "messages"], &body).await?;
    sent(&answer)
}

/// Marks a message as read, and shows for 25 seconds that somebody is writing.
///
/// # Errors
/// What WhatsApp said.
pub(crate) async fn mark_read(
    client: &ChannelClient,
    account: &ChannelAccount,
    message_id: &str,
    typing: bool,
) -> Result<(), SendFailure> {
    let mut body = json!({
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": message_id,
    });
    if typing {
        body["typing_indicator"] = json!({ "type": "text" });
    }
    let path = [account.account_id.as_str(), "messages"];
    let answer = graph::post(client, account, &path, &body).await;
    // It may be said twice without harm.
    answer.map(|_| ()).map_err(graph::harmless)
}

pub(super) fn message(
    to: &Recipient,
    content: &OutboundContent,
    reference: &str,
) -> Result<Value, SendFailure> {
    let (kind, part) = match content {
        OutboundContent::Text { text } => ("text", plain(text)?),
        OutboundContent::Choices {
            text,
            button,
            options,
        } => match choices::interactive(text, button, options) {
            Some(interactive) => ("interactive", interactive),
            None => ("text", plain(&choices::numbered(text, options))?),
        },
        OutboundContent::Template(template) => ("template", filled_in(template)?),
        OutboundContent::Media(media) => (media.media.as_str(), linked(media)?),
    };
    let mut body = json!({
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "type": kind,
    });
    let (key, recipient) = addressed(to)?;
    body[key] = recipient.into();
    body[kind] = part;
    if (1..=LONGEST_REFERENCE).contains(&reference.chars().count()) {
        body["biz_opaque_callback_data"] = reference.into();
    }
    Ok(body)
}

/// A number reaches everything; a user id is taken where there is no number.
fn addressed(to: &Recipient) -> Result<(&'static str, &str), SendFailure> {
    let phone = to.phone.as_deref().filter(|phone| !phone.is_empty());
    let user_id = to.user_id.as_deref().filter(|user_id| !user_id.is_empty());
    match (phone, user_id) {
        (Some(phone), _) => Ok(("to", phone)),
        (None, Some(user_id)) => Ok(("recipient", user_id)),
        (None, None) => {
            let reason = "neither a number nor a user id is known";
            Err(SendFailure::new(FailureKind::Unreachable, None, reason))
        }
    }
}

fn plain(text: &str) -> Result<Value, SendFailure> {
    if text.trim().is_empty() {
        return Err(rejected("the text is empty"));
    }
    if text.chars().count() > LONGEST_TEXT {
        return Err(rejected("the text is longer than 4,096 characters"));
    }
    Ok(json!({ "body": text, "preview_url": false }))
}

fn filled_in(template: &TemplateMessage) -> Result<Value, SendFailure> {
    let mut components = Vec::new();
    if !template.body.is_empty() {
        let parameters = template.body.iter().map(|text| parameter(text));
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        components.push(json!({ "type": "body", "parameters": parameters }));
    }
    for (index, payload) in template.buttons.iter().enumerate() {
        // A button that gives nothing back, such as one with a link, keeps its place only.
        if !payload.is_empty() {
            components.push(json!({
                "type": "button",
                "sub_type": "quick_reply",
                "index": index.to_string(),
                "parameters": [{ "type": "payload", "payload": payload }],
            }));
        }
    }
    let mut body = json!({
        "name": template.name,
        "language": { "code": template.language },
    });
    if !components.is_empty() {
        body["components"] = components.into();
    }
    Ok(body)
}

/// WhatsApp takes neither new lines nor rows of spaces, and nothing empty.
fn parameter(text: &str) -> Result<Value, SendFailure> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        let reason = "a field of the template is empty";
        return Err(SendFailure::new(FailureKind::Template, None, reason));
    }
    Ok(json!({ "type": "text", "text": text }))
}

fn linked(media: &OutboundMedia) -> Result<Value, SendFailure> {
    let mut part = json!({ "link": media.url });
    if let Some(caption) = media.caption.as_deref().filter(|words| !words.is_empty()) {
        if matches!(media.media, MediaKind::Audio | MediaKind::Sticker) {
            return Err(rejected("no words may stand below an audio or a sticker"));
        }
        if caption.chars().count() > LONGEST_CAPTION {
            let reason = "the words below the file are longer than 1,024 characters";
            return Err(rejected(reason));
        }
        part["caption"] = caption.into();
    }
    if let (MediaKind::Document, Some(filename)) = (media.media, &media.filename) {
        part["filename"] = filename.as_str().into();
    }
    Ok(part)
}

/// Without an id nothing tells what becomes of it, though it may well have gone out.
fn sent(answer: &Value) -> Result<SentMessage, SendFailure> {
    let first = |key: &str| answer.pointer(&format!("/{key}/0")).unwrap_or(&Value::Null);
    let id = fields::id(first("messages"), "id").ok().flatten();
    let id = id.ok_or_else(|| {
        let reason = "WhatsApp did not tell the id of the message";
        SendFailure::new(FailureKind::Unknown, None, reason)
    })?;
    let contact = first("contacts");
    Ok(SentMessage {
        id,
        recipient: Recipient {
            user_id: fields::id(contact, "user_id").ok().flatten(),
            phone: fields::phone(contact, "wa_id"),
        },
    })
}

fn rejected(reason: &str) -> SendFailure {
    SendFailure::new(FailureKind::Rejected, None, reason)
}
