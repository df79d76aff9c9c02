//! Whole deliveries, and that nothing that is delivered can break the reader.

use crate::inbound::{ChannelEvent, Delivery, InboundMessage};
use crate::pages::{parse, parse_item};
use proptest::prelude::*;
use quipu_core::lead::Channel;
use serde_json::{Map, Value, json};

fn message(mid: &str) -> Value {
    json!({
        "sender": { "id": "71" },
        "recipient": { "id": "900" },
        "timestamp": 1_790_000_000_123_i64,
        "message": { "mid": mid, "text": "hola" },
    })
}

fn read(channel: Channel, body: &Value) -> Delivery {
    parse(channel, body.to_string().as_bytes())
}

fn kinds(delivery: &Delivery) -> Vec<String> {
    delivery.events.iter().map(ChannelEvent::kind).collect()
}

#[test]
fn what_is_not_for_the_channel_is_refused_as_one() {
    let page = json!({ "object": "page", "entry": [] });
    let account = json!({ "object": "instagram", "entry": [] });
    assert_eq!(read(Channel::Messenger, &page), Delivery::default());
    assert_eq!(read(Channel::Instagram, &account), Delivery::default());
    for (channel, body) in [
        (Channel::Messenger, account.to_string()),
        (Channel::Instagram, page.to_string()),
        (Channel::Whatsapp, page.to_string()),
        (Channel::Messenger, json!({ "object": "page" }).to_string()),
        (
            Channel::Messenger,
            json!({ "object": "page", "entry": {} }).to_string(),
        ),
        (Channel::Messenger, "[]".to_owned()),
        (Channel::Messenger, "{".to_owned()),
        (Channel::Messenger, String::new()),
        (Channel::Messenger, "[".repeat(100_000)),
    ] {
        let delivery = parse(channel, body.as_bytes());
        assert_eq!((delivery.events.len(), delivery.refused.len()), (0, 1));
    }
}

#[test]
fn what_another_program_answers_is_only_noted() {
    let mut echo = message("m_2");
    echo["message"]["is_echo"] = json!(true);
    let body = json!({ "object": "page", "entry": [
        { "standby": [message("m_1"), echo, {}] },
        { "messaging": [message("m_3")] },
        { "hop_context": [] },
        { "messaging": "none" },
    ] });
    let delivery = read(Channel::Messenger, &body);
    assert_eq!(
        kinds(&delivery),
        [
            "other.standby.message",
            "other.standby.echo",
            "other.standby.unknown",
            "message.text",
            "other.unknown",
        ]
    );
    assert_eq!(delivery.refused[0].path, "entry[3].messaging");
}

#[test]
fn changes_are_public_except_for_those_that_are_messages() {
    let mut seconds = message("m_1");
    seconds["timestamp"] = json!("1790000000");
    let body = json!({ "object": "instagram", "entry": [{ "changes": [
        { "field": "comments", "value": { "id": "1", "text": "¡Qué lindo!" } },
        { "field": "mentions", "value": { "media_id": "1" } },
        { "field": "feed", "value": { "sender": { "id": "1" }, "message": "hola" } },
        { "field": "Ana Pérez" },
        { "field": "messages", "value": seconds },
        { "field": "standby", "value": message("m_2") },
    ] }] });
    let delivery = read(Channel::Instagram, &body);
    assert_eq!(
        kinds(&delivery),
        [
            "other.comments",
            "other.mentions",
            "other.feed",
            "other.unknown",
            "message.text",
            "other.standby.message",
        ]
    );
    let ChannelEvent::Message(InboundMessage { at, .. }) = &delivery.events[4] else {
        panic!("{:?}", delivery.events[4]);
    };
    assert_eq!(at.as_second(), 1_790_000_000);
}

#[test]
fn a_delivery_has_an_end() {
    let many: Vec<Value> = (0..1_200)
        .map(|index| message(&format!("m_{index}")))
        .collect();
    let body = json!({ "object": "page", "entry": [{ "messaging": many }] });
    let delivery = read(Channel::Messenger, &body);
    assert_eq!((delivery.events.len(), delivery.refused.len()), (1_000, 1));
    assert_eq!(delivery.refused[0].path, "entry[0].messaging[1000]");

    let files =
        vec![json!({ "type": "image", "payload": { "url": "https://a.fbcdn.net" } }); 1_001];
    let mut album = message("m_1");
    album["message"]["attachments"] = json!(files);
    let mids: Vec<String> = (0..1_001).map(|index| format!("m_{index}")).collect();
    let mut receipt = message("m_1");
    receipt["message"] = Value::Null;
    receipt["delivery"] = json!({ "mids": mids });
    let wrong = vec![json!(1); 3_000];
    let body = json!({ "object": "page", "entry": [{ "messaging": [album, receipt] },
        { "messaging": wrong }] });
    let delivery = read(Channel::Messenger, &body);
    assert_eq!((delivery.events.len(), delivery.refused.len()), (0, 1_001));

    let mut long = message(&"m".repeat(199));
    let image = json!({ "type": "image", "payload": { "url": "https://a.fbcdn.net/1" } });
    long["message"]["attachments"] = json!([image, image]);
    let mut delivery = Delivery::default();
    parse_item(Channel::Messenger, &long, "here", &mut delivery);
    assert_eq!((delivery.events.len(), delivery.refused.len()), (0, 1));
}

#[test]
fn refusals_repeat_nothing_that_was_written() {
    let mut bad = message("m_1");
    bad["message"]["text"] = json!("secreto ".repeat(3_000));
    bad["sender"]["id"] = json!("71");
    let delivery = read(
        Channel::Messenger,
        &json!({ "object": "page", "entry": [{ "messaging": [bad] }] }),
    );
    let said = format!("{:?}", delivery.refused);
    assert!(delivery.refused.len() == 1 && !said.contains("secreto") && !said.contains("71"));
}

/// Any JSON whose names are those that are looked for.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("image")),
        Just(json!("react")),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    let names = [
        "object",
        "entry",
        "messaging",
        "standby",
        "changes",
        "value",
        "field",
        "sender",
        "recipient",
        "id",
        "timestamp",
        "message",
        "mid",
        "text",
        "attachments",
        "type",
        "payload",
        "url",
        "coordinates",
        "lat",
        "long",
        "sticker_id",
        "quick_reply",
        "reply_to",
        "story",
        "is_echo",
        "is_deleted",
        "app_id",
        "postback",
        "title",
        "referral",
        "message_edit",
        "num_edit",
        "reaction",
        "action",
        "emoji",
        "delivery",
        "mids",
        "watermark",
        "read",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// A whole message in which one place says something else.
fn mutated() -> impl Strategy<Value = Value> {
    let pointers = [
        "/sender",
        "/sender/id",
        "/recipient",
        "/timestamp",
        "/message",
        "/message/mid",
        "/message/text",
        "/message/attachments",
        "/message/attachments/0",
        "/message/attachments/0/payload",
        "/message/reply_to",
        "/message/quick_reply",
        "/postback",
        "/reaction",
        "/delivery",
        "/delivery/mids",
        "/read",
    ];
    let whole = json!({
        "sender": { "id": "71" },
        "recipient": { "id": "900" },
        "timestamp": 1_790_000_000_123_i64,
        "message": {
            "mid": "m_1", "text": "hola", "reply_to": { "mid": "m_0" }, "quick_reply": null,
            "attachments": [{ "type": "image", "payload": { "url": "https://a.fbcdn.net/1" } }],
        },
        "postback": { "payload": "A" },
        "reaction": { "mid": "m_1", "action": "react", "emoji": "❤" },
        "delivery": { "mids": ["m_1"], "watermark": 1 },
        "read": { "watermark": 1 },
    });
    let absent = prop::sample::select(vec!["", "message", "postback", "reaction", "delivery"]);
    let place = prop::sample::select(pointers.to_vec());
    (place, any_json(), absent).prop_map(move |(place, value, absent)| {
        let mut item = whole.clone();
        if let Some(found) = item.pointer_mut(place) {
            *found = value;
        }
        if let Some(found) = item.get_mut(absent) {
            *found = Value::Null;
        }
        item
    })
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let delivery = parse(Channel::Messenger, &bytes);
        prop_assert!(delivery.events.is_empty());
    }

    #[test]
    fn no_json_breaks_the_reader(items in prop::collection::vec(any_json(), 0..4)) {
        let lists = ["messaging", "standby", "changes"];
        let entries = lists.map(|list| json!({ list: items }));
        let body = json!({ "object": "instagram", "entry": entries });
        let delivery = read(Channel::Instagram, &body);
        prop_assert!(delivery.events.len() + delivery.refused.len() >= 3 * items.len());
    }

    #[test]
    fn every_item_is_an_event_or_refused(item in mutated()) {
        let mut delivery = Delivery::default();
        parse_item(Channel::Messenger, &item, "here", &mut delivery);
        prop_assert_eq!(delivery.events.is_empty(), delivery.refused.len() == 1);
    }
}
