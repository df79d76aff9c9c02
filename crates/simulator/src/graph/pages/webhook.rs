//! What Messenger and Instagram deliver.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::{CustomerFileKind, SimulatedCustomer};
use crate::graph::node::file_url;
use crate::incoming::{Incoming, IncomingContent};
use crate::message::{OptionSource, SimulatedMessage};
use serde_json::{Value, json};

fn envelope(account: &SimulatedAccount, at: i64, event: &Value) -> Value {
    let object = match account.channel {
        SimulatedChannel::Instagram => "instagram",
        _ => "page",
    };
    json!({
        "object": object,
        "entry": [{ "id": account.account_id, "time": at, "messaging": [event] }],
    })
}

fn from_customer(account: &SimulatedAccount, customer: &SimulatedCustomer, at: i64) -> Value {
    json!({
        "sender": { "id": customer.id }, "recipient": { "id": account.account_id }, "timestamp": at,
    })
}

/// A message of a customer.
pub(crate) fn incoming_body(incoming: &Incoming) -> Value {
    let mut event = from_customer(incoming.account, incoming.customer, incoming.at);
    let (key, content) = content(incoming);
    event[key] = content;
    envelope(incoming.account, incoming.at, &event)
}

fn content(incoming: &Incoming) -> (&'static str, Value) {
    let mut message = json!({ "mid": incoming.id });
    let tapped = matches!(&incoming.content, IncomingContent::Choice(_));
    if let Some(id) = incoming.reply_to.as_ref().filter(|_| !tapped) {
        message["reply_to"] = json!({ "mid": id });
    }
    match &incoming.content {
        IncomingContent::Text(text) => message["text"] = text.as_str().into(),
        IncomingContent::Choice(option) if option.source == OptionSource::Postback => {
            let postback =
                json!({ "mid": incoming.id, "title": option.title, "payload": option.id });
            return ("postback", postback);
        }
        IncomingContent::Choice(option) => {
            message["text"] = option.title.as_str().into();
            message["quick_reply"] = json!({ "payload": option.id });
        }
        IncomingContent::File { kind, file, .. } => {
            let kind = match kind {
                CustomerFileKind::Document => "file",
                kind => kind.as_str(),
            };
            let payload = json!({ "url": file_url(&incoming.base_url, &file.id) });
            message["attachments"] = json!([{ "type": kind, "payload": payload }]);
        }
        IncomingContent::Location {
            latitude,
            longitude,
            name,
            ..
        } => {
            let coordinates = json!({ "lat": latitude, "long": longitude });
            let title = name.as_deref().unwrap_or("Ubicación");
            message["attachments"] = json!([{
                "title": title, "type": "location", "payload": { "coordinates": coordinates },
            }]);
        }
        IncomingContent::Reaction { emoji, message_id } => {
            let reaction = match emoji {
                Some(emoji) => json!({
                    "mid": message_id, "action": "react", "reaction": "other", "emoji": emoji,
                }),
                None => json!({ "mid": message_id, "action": "unreact" }),
            };
            return ("reaction", reaction);
        }
        IncomingContent::Edited { message_id, text } => {
            let edit = json!({ "mid": message_id, "text": text, "num_edit": 1 });
            return ("message_edit", edit);
        }
        IncomingContent::Deleted { message_id } => {
            message = json!({ "mid": message_id, "is_deleted": true });
        }
        IncomingContent::Unsupported => message["is_unsupported"] = true.into(),
    }
    ("message", message)
}

/// A message of the business that comes back. Without a program it is one that a person wrote.
pub(crate) fn echo_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    app_id: Option<u64>,
) -> Value {
    let mut echo = json!({ "mid": message.id, "is_echo": true });
    if let Some(app_id) = app_id {
        echo["app_id"] = app_id.into();
    }
    if let Some(text) = &message.text {
        echo["text"] = text.as_str().into();
    }
    if let Some(file) = &message.file {
        let kind = if file.media == "document" {
            "file"
        } else {
            &file.media
        };
        echo["attachments"] = json!([{ "type": kind, "payload": { "url": file.url } }]);
    }
    let event = json!({
        "sender": { "id": account.account_id }, "recipient": { "id": customer.id },
        "timestamp": message.at, "message": echo,
    });
    envelope(account, message.at, &event)
}

/// A message has arrived.
pub(crate) fn delivered_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    at: i64,
) -> Value {
    let mut event = from_customer(account, customer, at);
    event["delivery"] = json!({ "mids": [message.id], "watermark": message.at });
    envelope(account, at, &event)
}

/// A message was read. Messenger means everything before too, and does not say which.
pub(crate) fn read_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    at: i64,
) -> Value {
    let mut event = from_customer(account, customer, at);
    event["read"] = match account.channel {
        SimulatedChannel::Instagram => json!({ "mid": message.id }),
        _ => json!({ "watermark": message.at }),
    };
    envelope(account, at, &event)
}
