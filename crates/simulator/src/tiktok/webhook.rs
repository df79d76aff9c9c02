//! What `TikTok` delivers: an event with its content as a text of JSON.

use crate::account::SimulatedAccount;
use crate::customer::{CustomerFileKind, SimulatedCustomer};
use crate::ids::conversation_id;
use crate::incoming::{Incoming, IncomingContent};
use crate::message::SimulatedMessage;
use serde_json::{Value, json};

fn envelope(account: &SimulatedAccount, event: &str, at: i64, content: &Value) -> Value {
    json!({
        "client_key": "simulador", "event": event, "create_time": at / 1000,
        "user_openid": account.account_id, "content": content.to_string(),
    })
}

fn handle(customer: &SimulatedCustomer) -> String {
    customer
        .name
        .to_lowercase()
        .replace(char::is_whitespace, ".")
}

/// Who wrote to whom, in which conversation.
fn between(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    by_customer: bool,
    at: i64,
) -> Value {
    let person = json!({ "id": customer.id, "role": "personal_account" });
    let business = json!({ "id": account.account_id, "role": "business_account" });
    let (person_name, business_name) = (handle(customer), "negocio_de_prueba".to_owned());
    let (from, to) = if by_customer {
        (person, business)
    } else {
        (business, person)
    };
    let (from_name, to_name) = if by_customer {
        (person_name, business_name)
    } else {
        (business_name, person_name)
    };
    json!({
        "conversation_id": conversation_id(account, customer), "timestamp": at,
        "unique_identifier": customer.id, "from": from_name, "from_user": from, "to": to_name,
        "to_user": to,
    })
}

/// A message of a customer.
pub(crate) fn incoming_body(incoming: &Incoming) -> Value {
    let mut content = between(incoming.account, incoming.customer, true, incoming.at);
    content["message_id"] = incoming.id.as_str().into();
    if let Some(id) = &incoming.reply_to {
        content["referenced_message_info"] = json!({ "referenced_message_id": id });
    }
    match &incoming.content {
        IncomingContent::File { kind, file, .. } => {
            let kind = if *kind == CustomerFileKind::Video {
                "video"
            } else {
                "image"
            };
            content["type"] = kind.into();
            content[kind] = json!({ "media_id": file.id });
        }
        other => {
            let text = match other {
                IncomingContent::Text(text) => text.as_str(),
                _ => "",
            };
            content["type"] = "text".into();
            content["text"] = json!({ "body": text });
        }
    }
    envelope(incoming.account, "im_receive_msg", incoming.at, &content)
}

/// A message of the business. `source` is `API` for ours and `APP` for one that a person wrote.
pub(crate) fn echo_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    source: &str,
) -> Value {
    let mut content = between(account, customer, false, message.at);
    content["message_id"] = message.id.as_str().into();
    content["type"] = "text".into();
    content["text"] = json!({ "body": message.text });
    content["message_tag"] = json!({ "source": source });
    envelope(account, "im_send_msg", message.at, &content)
}

/// The customer has read everything so far.
pub(crate) fn read_body(
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    at: i64,
) -> Value {
    let mut content = between(account, customer, true, at);
    content["read"] = json!({ "last_read_timestamp": at });
    envelope(account, "im_mark_read_msg", at, &content)
}
