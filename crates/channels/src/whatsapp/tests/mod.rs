mod asking;
mod laws;
mod notices;
mod parsing;
mod sending;
mod server;

use super::parse;
use crate::inbound::{ChannelEvent, Delivery, InboundContent, InboundMessage};
use serde_json::{Value, json};

/// A delivery of one change.
fn change(field: &str, value: &Value) -> Value {
    json!({
        "object": "whatsapp_business_account",
        "entry": [{ "id": "900", "changes": [{ "field": field, "value": value }] }],
    })
}

/// What stands around messages: our number, and Ana.
fn around(list: &str, items: &Value) -> Value {
    json!({
        "messaging_product": "whatsapp",
        "metadata": { "display_phone_number": "525500000000", "phone_number_id": "700" },
        "contacts": [{
            "profile": { "name": "Ana" },
            "wa_id": "5215511112222",
            "user_id": "MX.1",
        }],
        list: items,
    })
}

fn read(body: &Value) -> Delivery {
    parse(body.to_string().as_bytes())
}

fn kinds(delivery: &Delivery) -> Vec<String> {
    delivery.events.iter().map(ChannelEvent::kind).collect()
}

/// A message of Ana's with one part.
fn message(kind: &str, part: &Value) -> Value {
    json!({
        "from": "5215511112222",
        "id": "wamid.1",
        "timestamp": "1760000000",
        "type": kind,
        kind: part,
    })
}

fn read_message(item: &Value) -> InboundMessage {
    let delivery = read(&change("messages", &around("messages", &json!([item]))));
    assert_eq!(delivery.refused, []);
    match delivery.events.into_iter().next() {
        Some(ChannelEvent::Message(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn content(kind: &str, part: &Value) -> InboundContent {
    read_message(&message(kind, part)).content
}

/// Why a single message is refused.
fn refusal(item: &Value) -> String {
    let delivery = read(&change("messages", &around("messages", &json!([item]))));
    assert_eq!(delivery.events, []);
    let [refused] = &delivery.refused[..] else {
        panic!("{:?}", delivery.refused)
    };
    assert_eq!(refused.path, "entry[0].changes[0].value.messages[0]");
    refused.reason.clone()
}
