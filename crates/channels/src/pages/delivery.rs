//! The walk through a delivery.

use super::fields::{self, Refusal};
use super::{message, status, touch};
use crate::inbound::{ChannelEvent, Delivery};
use quipu_core::lead::Channel;
use serde_json::Value;

const MOST_EVENTS: usize = 1_000;

/// What an item can be about, in the order in which it is looked for.
const KINDS: [&str; 23] = [
    "message",
    "postback",
    "message_edit",
    "reaction",
    "delivery",
    "read",
    "optin",
    "referral",
    "account_linking",
    "payment",
    "pre_checkout",
    "checkout_update",
    "game_play",
    "app_roles",
    "policy_enforcement",
    "policy-enforcement",
    "pass_thread_control",
    "take_thread_control",
    "request_thread_control",
    "branded_camera",
    "messaging_feedback",
    "response_feedback",
    "customer_information",
];

type ItemReader = fn(Channel, &Value, &str, &mut Delivery);

/// The lists of an entry. In `standby` stands what another program answers, and in `changes` what
/// is public, such as comments.
const LISTS: [(&str, ItemReader); 3] = [
    ("messaging", parse_item),
    ("standby", read_standby),
    ("changes", read_change),
];

/// Reads what Graph delivered for Messenger or Instagram. The signature was looked at before.
#[must_use]
pub fn parse(channel: Channel, body: &[u8]) -> Delivery {
    let mut delivery = Delivery::default();
    let read = serde_json::from_slice::<Value>(body);
    let entries = match read.as_ref().map(|body| entries(channel, body)) {
        Ok(Ok(entries)) => entries,
        Ok(Err(reason)) => {
            delivery.refuse("body", reason);
            return delivery;
        }
        Err(_) => {
            delivery.refuse("body", "it is no JSON");
            return delivery;
        }
    };
    for (index, entry) in entries.iter().enumerate() {
        read_entry(channel, entry, &format!("entry[{index}]"), &mut delivery);
    }
    delivery
}

fn entries(channel: Channel, body: &Value) -> Result<&[Value], Refusal> {
    let object = match channel {
        Channel::Messenger => "page",
        Channel::Instagram => "instagram",
        _ => return Err("this channel is read elsewhere"),
    };
    if body.get("object").and_then(Value::as_str) != Some(object) {
        return Err("it is about something else than this channel");
    }
    let entries = body.get("entry").and_then(Value::as_array);
    entries.map(Vec::as_slice).ok_or("it has no entries")
}

fn read_entry(channel: Channel, entry: &Value, path: &str, delivery: &mut Delivery) {
    let mut known = false;
    for (name, read) in LISTS {
        let Some(items) = fields::get(entry, name) else {
            continue;
        };
        known = true;
        let Some(items) = items.as_array() else {
            add(delivery, &format!("{path}.{name}"), Err("it is no list"));
            continue;
        };
        for (index, item) in items.iter().enumerate() {
            read(channel, item, &format!("{path}.{name}[{index}]"), delivery);
        }
    }
    if !known {
        add(delivery, path, Ok(other("unknown")));
    }
}

/// Reads one item of `messaging`. `path` says where it stands.
pub fn parse_item(channel: Channel, item: &Value, path: &str, delivery: &mut Delivery) {
    add(delivery, path, read_item(channel, item));
}

fn read_item(channel: Channel, item: &Value) -> Result<Vec<ChannelEvent>, Refusal> {
    if !item.is_object() {
        return Err("it is no object");
    }
    match kind_of(item).unwrap_or("unknown") {
        "message" => message::read(channel, item),
        "postback" => touch::postback(item),
        "message_edit" => touch::edit(item),
        "reaction" => touch::reaction(item),
        "delivery" => status::delivered(item),
        "read" => status::read(item),
        "policy_enforcement" | "policy-enforcement" => Ok(other(policy(item))),
        kind => Ok(other(kind)),
    }
}

fn kind_of(item: &Value) -> Option<&'static str> {
    let mut kinds = KINDS.into_iter();
    kinds.find(|kind| fields::get(item, kind).is_some())
}

/// A page that breaks the rules is blocked, and let go again later.
fn policy(item: &Value) -> String {
    let said = fields::get(item, "policy_enforcement");
    let said = said.or_else(|| fields::get(item, "policy-enforcement"));
    match said.and_then(|said| fields::word(said, "action")) {
        Some(action) => format!("policy_enforcement.{action}"),
        None => "policy_enforcement".to_owned(),
    }
}

fn read_standby(_channel: Channel, item: &Value, path: &str, delivery: &mut Delivery) {
    let message = fields::get(item, "message");
    let kind = match kind_of(item) {
        Some(_) if message.is_some_and(|message| fields::flag(message, "is_echo")) => "echo",
        Some(kind) => kind,
        None => "unknown",
    };
    add(delivery, path, Ok(other(format!("standby.{kind}"))));
}

/// Instagram tells of some messages here too, as its dashboard does when the address is tried out.
fn read_change(channel: Channel, change: &Value, path: &str, delivery: &mut Delivery) {
    let field = fields::word(change, "field");
    let value = fields::get(change, "value");
    let item = value.filter(|value| {
        let is_item = |kind| fields::get(value, kind).is_some_and(Value::is_object);
        fields::get(value, "sender").is_some() && kind_of(value).is_some_and(is_item)
    });
    let path = format!("{path}.value");
    match (item, field.as_deref()) {
        (Some(item), Some("standby")) => read_standby(channel, item, &path, delivery),
        (Some(item), _) => parse_item(channel, item, &path, delivery),
        (None, field) => add(delivery, &path, Ok(other(field.unwrap_or("unknown")))),
    }
}

/// Something that is known and that nothing follows from.
pub(super) fn other(kind: impl Into<String>) -> Vec<ChannelEvent> {
    vec![ChannelEvent::Other { kind: kind.into() }]
}

/// Adds what an item brought, as long as there is room. The first item without room is refused, and
/// nothing is said of those after it.
fn add(delivery: &mut Delivery, path: &str, read: Result<Vec<ChannelEvent>, Refusal>) {
    if delivery.events.len() + delivery.refused.len() > MOST_EVENTS {
        return;
    }
    match read {
        Ok(events) if delivery.events.len() + events.len() > MOST_EVENTS => {
            delivery.refuse(path, "the delivery holds too much");
        }
        Ok(events) => delivery.events.extend(events),
        Err(reason) => delivery.refuse(path, reason),
    }
}
