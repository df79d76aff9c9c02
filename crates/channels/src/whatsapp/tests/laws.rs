//! Laws that hold for every body, whatever stands in it.

use super::{around, change, message};
use crate::inbound::{ChannelEvent, SenderIdentity};
use crate::whatsapp::{challenge, failure, is_signed, parse};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};

/// Names and words that the parser looks for, so that what is random goes deep.
const WORDS: [&str; 44] = [
    "object",
    "entry",
    "changes",
    "field",
    "value",
    "metadata",
    "phone_number_id",
    "contacts",
    "messages",
    "statuses",
    "message_echoes",
    "user_preferences",
    "from",
    "from_user_id",
    "to",
    "id",
    "timestamp",
    "type",
    "text",
    "body",
    "image",
    "audio",
    "location",
    "reaction",
    "interactive",
    "list_reply",
    "nfm_reply",
    "response_json",
    "order",
    "edit",
    "system",
    "context",
    "referral",
    "errors",
    "code",
    "pricing",
    "status",
    "failed",
    "profile",
    "name",
    "wa_id",
    "user_id",
    "event",
    "error",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(&WORDS[..]).prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[0-9]{1,22}".prop_map(Value::from),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 60, 6, |inner| {
        let key = prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Deliveries that are read whole, to be spoilt in one place.
fn samples() -> Vec<Value> {
    let reply = json!({ "id": "a", "title": "b" });
    let edit = json!({
        "original_message_id": "w", "message": { "type": "text", "text": { "body": "a" } },
    });
    let cards = json!([{ "name": { "formatted_name": "L" }, "phones": [{ "phone": "1" }] }]);
    let mut items = vec![
        message("text", &json!({ "body": "hola" })),
        message(
            "document",
            &json!({ "id": "1", "filename": "a.pdf", "caption": "b" }),
        ),
        message("location", &json!({ "latitude": 1.5, "longitude": 2 })),
        message("contacts", &cards),
        message("reaction", &json!({ "message_id": "w", "emoji": "👍" })),
        message(
            "interactive",
            &json!({ "type": "list_reply", "list_reply": reply }),
        ),
        message("order", &json!({ "product_items": [{}] })),
        message("edit", &edit),
        message(
            "system",
            &json!({ "type": "user_changed_number", "wa_id": "521551" }),
        ),
    ];
    items[0]["context"] = json!({ "id": "w" });
    items[0]["referral"] = json!({ "source_type": "ad" });
    let state = json!({
        "id": "w", "status": "failed", "timestamp": "1", "recipient_id": "521551",
        "errors": [{ "code": 1, "title": "a" }], "pricing": { "category": "service" },
    });
    let choice = json!({
        "wa_id": "521551", "category": "marketing_messages", "value": "stop", "timestamp": 1,
    });
    vec![
        change("messages", &around("messages", &items.into())),
        change("messages", &around("statuses", &json!([state]))),
        change(
            "user_preferences",
            &around("user_preferences", &json!([choice])),
        ),
    ]
}

/// Every place in a value, as a pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                places(item, &format!("{at}/{key}"), found);
            }
        }
        _ => {}
    }
}

fn is_whole(event: &ChannelEvent) -> bool {
    let is_known = |who: &SenderIdentity| who.phone.is_some() || who.user_id.is_some();
    match event {
        ChannelEvent::Message(message) => {
            is_known(&message.sender) && (1..=200).contains(&message.id.chars().count())
        }
        ChannelEvent::Echo(echo) => is_known(&echo.recipient),
        ChannelEvent::Consent { sender, .. } => is_known(sender),
        ChannelEvent::Other { kind } => kind.len() <= 150,
        _ => true,
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_parser(body in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(parse(&body).refused.len(), 1);
    }

    #[test]
    fn no_tree_breaks_the_parser(tree in tree(), field in prop::sample::select(&[
        "messages", "smb_message_echoes", "user_preferences", "calls", "account_update",
        "message_template_status_update",
    ][..])) {
        let whole = parse(tree.to_string().as_bytes());
        let inner = parse(change(field, &tree).to_string().as_bytes());
        prop_assert!(whole.events.iter().chain(&inner.events).all(is_whole));
    }

    #[test]
    fn what_is_spoilt_in_one_place_is_read_or_refused(
        which in 0..3_usize,
        place in any::<prop::sample::Index>(),
        spoilt in tree(),
    ) {
        let mut body = samples().swap_remove(which);
        let mut found = Vec::new();
        places(&body, "", &mut found);
        if let Some(value) = body.pointer_mut(&found[place.index(found.len())]) {
            *value = spoilt;
        }
        let delivery = parse(body.to_string().as_bytes());
        prop_assert!(delivery.events.iter().all(is_whole));
        prop_assert!(delivery.refused.iter().all(|item| item.reason.len() < 100));
    }

    #[test]
    fn no_header_is_a_signature(header in ".{0,100}", body in ".{0,50}") {
        prop_assert!(!is_signed(&SecretString::from("key"), body.as_bytes(), Some(&header)));
    }

    #[test]
    fn no_answer_breaks_what_is_made_of_it(tree in tree(), status in any::<u16>()) {
        let failure = failure(status, None, &json!({ "error": tree }));
        prop_assert!(failure.reason.len() < 250);
    }

    #[test]
    fn nobody_guesses_the_token(query in prop::collection::vec((".{0,20}", ".{0,20}"), 0..5)) {
        prop_assert_eq!(challenge(&SecretString::from("a long token of ours"), &query), None);
    }
}

#[test]
fn the_samples_are_read_whole() {
    for sample in samples() {
        assert_eq!(parse(sample.to_string().as_bytes()).refused, []);
    }
}
