//! What WhatsApp delivers.

use crate::account::SimulatedAccount;
use crate::customer::{CustomerFileKind, SimulatedCustomer};
use crate::failure::SimulatedFailure;
use crate::graph::node::{file_digest, file_url};
use crate::incoming::{Incoming, IncomingContent};
use crate::message::{MessageOption, MessageState, OptionSource, SimulatedMessage};
use crate::state::{FileRecord, SimulatorState};
use serde_json::{Value, json};

const ERRORS: &str = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/";

fn envelope(account: &SimulatedAccount, customer: &SimulatedCustomer, field: &str) -> Value {
    let mut contact = json!({
        "profile": { "name": customer.name }, "user_id": customer.user_id_for(account),
    });
    if !customer.hides_phone {
        contact["wa_id"] = customer.id.as_str().into();
    }
    let value = json!({
        "messaging_product": "whatsapp",
        "metadata": {
            "display_phone_number": account.shown_phone(), "phone_number_id": account.account_id,
        },
        "contacts": [contact],
    });
    json!({
        "object": "whatsapp_business_account",
        "entry": [{ "id": account.parent(), "changes": [{ "value": value, "field": field }] }],
    })
}

fn put(mut envelope: Value, list: &str, item: &Value) -> Value {
    envelope["entry"][0]["changes"][0]["value"][list] = json!([item]);
    envelope
}

/// A message of a customer.
pub(crate) fn incoming_body(incoming: &Incoming) -> Value {
    let (account, customer) = (incoming.account, incoming.customer);
    let mut message = json!({
        "from_user_id": customer.user_id_for(account), "id": incoming.id,
        "timestamp": (incoming.at / 1000).to_string(),
    });
    if !customer.hides_phone {
        message["from"] = customer.id.as_str().into();
    }
    if let Some(id) = &incoming.reply_to {
        message["context"] = json!({ "from": account.shown_phone(), "id": id });
    }
    let (kind, content) = content(incoming);
    message["type"] = kind.into();
    let key = if kind == "unsupported" {
        "errors"
    } else {
        kind
    };
    message[key] = content;
    put(
        envelope(account, customer, "messages"),
        "messages",
        &message,
    )
}

fn content(incoming: &Incoming) -> (&'static str, Value) {
    match &incoming.content {
        IncomingContent::Text(text) => ("text", json!({ "body": text })),
        IncomingContent::Choice(option) => choice(option),
        IncomingContent::File {
            kind,
            file,
            caption,
        } => (
            kind.as_str(),
            file_content(incoming, *kind, file, caption.as_deref()),
        ),
        IncomingContent::Location {
            latitude,
            longitude,
            name,
            address,
        } => {
            let mut place = json!({ "latitude": latitude, "longitude": longitude });
            for (key, value) in [("name", name), ("address", address)] {
                if let Some(value) = value {
                    place[key] = value.as_str().into();
                }
            }
            ("location", place)
        }
        IncomingContent::Reaction { emoji, message_id } => {
            let mut reaction = json!({ "message_id": message_id });
            if let Some(emoji) = emoji {
                reaction["emoji"] = emoji.as_str().into();
            }
            ("reaction", reaction)
        }
        IncomingContent::Edited { message_id, text } => {
            let message =
                json!({ "context": { "id": "M0" }, "type": "text", "text": { "body": text } });
            (
                "edit",
                json!({ "original_message_id": message_id, "message": message }),
            )
        }
        IncomingContent::Deleted { message_id } => {
            ("revoke", json!({ "original_message_id": message_id }))
        }
        IncomingContent::Unsupported => {
            let details = json!({ "details": "Message type is currently not supported." });
            let error = json!({
                "code": 131_051, "title": "Message type unknown", "message": "Message type unknown",
                "error_data": details,
            });
            ("unsupported", json!([error]))
        }
    }
}

fn choice(option: &MessageOption) -> (&'static str, Value) {
    let reply = json!({ "id": option.id, "title": option.title });
    match option.source {
        OptionSource::TemplateButton => (
            "button",
            json!({ "payload": option.id, "text": option.title }),
        ),
        OptionSource::ListRow => {
            let mut reply = reply;
            if let Some(description) = &option.description {
                reply["description"] = description.as_str().into();
            }
            (
                "interactive",
                json!({ "type": "list_reply", "list_reply": reply }),
            )
        }
        _ => (
            "interactive",
            json!({ "type": "button_reply", "button_reply": reply }),
        ),
    }
}

fn file_content(
    incoming: &Incoming,
    kind: CustomerFileKind,
    file: &FileRecord,
    caption: Option<&str>,
) -> Value {
    let mut content = json!({
        "mime_type": file.mime_type, "sha256": file_digest(file), "id": file.id,
        "url": file_url(&incoming.base_url, &file.id),
    });
    if let Some(caption) = caption {
        content["caption"] = caption.into();
    }
    match kind {
        CustomerFileKind::Voice => content["voice"] = true.into(),
        CustomerFileKind::Sticker => content["animated"] = false.into(),
        CustomerFileKind::Document => {
            content["filename"] = file.filename.as_deref().unwrap_or("documento").into();
        }
        CustomerFileKind::Image | CustomerFileKind::Video => {}
    }
    content
}

/// What became of a message of the business.
pub(crate) fn status_body(
    state: &SimulatorState,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    becomes: MessageState,
    category: &str,
    failure: Option<&SimulatedFailure>,
) -> Value {
    let mut status = json!({
        "id": message.id, "status": becomes, "timestamp": (state.clock.now() / 1000).to_string(),
        "recipient_user_id": customer.user_id_for(account),
    });
    if !customer.hides_phone {
        status["recipient_id"] = customer.id.as_str().into();
    }
    if let Some(reference) = &message.reference {
        status["biz_opaque_callback_data"] = reference.as_str().into();
    }
    match failure {
        Some(failure) => {
            status["errors"] = json!([{
                "code": failure.code, "title": failure.message, "message": failure.message,
                "error_data": { "details": failure.message }, "href": ERRORS,
            }]);
        }
        None => {
            status["pricing"] = json!({
                "billable": true, "pricing_model": "PMP", "category": category, "type": "regular",
            });
        }
    }
    put(envelope(account, customer, "messages"), "statuses", &status)
}

/// What somebody of the business wrote on their own phone.
pub(crate) fn echo_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
) -> Value {
    let mut echo = json!({
        "from": account.shown_phone(), "to_user_id": customer.user_id_for(account), "id": message.id,
        "timestamp": (message.at / 1000).to_string(), "type": "text", "text": { "body": message.text },
    });
    if !customer.hides_phone {
        echo["to"] = customer.id.as_str().into();
    }
    put(
        envelope(account, customer, "smb_message_echoes"),
        "message_echoes",
        &echo,
    )
}
