//! Messages: who wrote, and what.

use super::{around, change, content, kinds, message, read, read_message, refusal};
use crate::inbound::{ChannelEvent, InboundContent, MediaKind, SenderIdentity};
use quipu_core::Timestamp;
use serde_json::{Value, json};

fn identity(user_id: Option<&str>, phone: Option<&str>, name: Option<&str>) -> SenderIdentity {
    SenderIdentity {
        user_id: user_id.map(str::to_owned),
        phone: phone.map(str::to_owned),
        name: name.map(str::to_owned),
    }
}

#[test]
fn a_text_is_read_with_everything_around_it() {
    let mut item = message("text", &json!({ "body": "¿Abren hoy?" }));
    item["context"] = json!({ "from": "525500000000", "id": "wamid.0" });
    item["referral"] = json!({ "source_type": "ad", "ctwa_clid": "c" });
    let read = read_message(&item);
    assert_eq!(read.account_id, "700");
    assert_eq!(read.id, "wamid.1");
    assert_eq!(read.at, Timestamp::from_second(1_760_000_000).unwrap());
    let ana = identity(Some("MX.1"), Some("5215511112222"), Some("Ana"));
    assert_eq!(read.sender, ana);
    assert_eq!(read.reply_to.as_deref(), Some("wamid.0"));
    assert_eq!(read.referral, Some(item["referral"].clone()));
    let text = "¿Abren hoy?".to_owned();
    assert_eq!(read.content, InboundContent::Text { text });
}

fn sender(item: &Value, contacts: &Value) -> Option<SenderIdentity> {
    let mut value = around("messages", &json!([item]));
    value["contacts"] = contacts.clone();
    let delivery = read(&change("messages", &value));
    if let Some(ChannelEvent::Message(message)) = delivery.events.into_iter().next() {
        return Some(message.sender);
    }
    assert_eq!(delivery.refused[0].reason, "whoever sent it is not there");
    None
}

#[test]
fn a_sender_has_a_number_or_a_user_id_or_both() {
    let text = |from: Value, user_id: Value| {
        let mut item = message("text", &json!({ "body": "hola" }));
        item["from"] = from;
        item["from_user_id"] = user_id;
        item
    };
    let none = json!([]);
    let by_number = sender(&text(json!("521551"), Value::Null), &none);
    assert_eq!(by_number, Some(identity(None, Some("521551"), None)));
    let by_id = sender(&text(Value::Null, json!("MX.1")), &none);
    assert_eq!(by_id, Some(identity(Some("MX.1"), None, None)));
    let nobody = text(Value::Null, Value::Null);
    assert_eq!(sender(&nobody, &none), None);
    // Somebody with a user name shares no number.
    let unnumbered = json!([{ "profile": { "username": "@ana" }, "user_id": "MX.1" }]);
    let named = identity(Some("MX.1"), None, Some("@ana"));
    assert_eq!(sender(&nobody, &unnumbered), Some(named.clone()));
    let by_id = text(Value::Null, json!("MX.1"));
    assert_eq!(sender(&by_id, &unnumbered), Some(named));
    // What is no number is nobody's.
    assert_eq!(sender(&text(json!("@ana"), Value::Null), &none), None);
}

#[test]
fn a_contact_is_the_senders_own() {
    let contacts = json!([
        { "profile": { "name": "Beto" }, "wa_id": "52200000", "user_id": "MX.2" },
        { "profile": { "name": "Ana" }, "wa_id": "52100000", "user_id": "MX.1" },
    ]);
    let mut item = message("text", &json!({ "body": "hola" }));
    item["from"] = json!("52100000");
    let ana = identity(Some("MX.1"), Some("52100000"), Some("Ana"));
    assert_eq!(sender(&item, &contacts), Some(ana));
    item["from"] = json!("52300000");
    let stranger = identity(None, Some("52300000"), None);
    assert_eq!(sender(&item, &contacts), Some(stranger));
    item["from_user_id"] = json!("MX.2");
    let beto = identity(Some("MX.2"), Some("52300000"), Some("Beto"));
    assert_eq!(sender(&item, &contacts), Some(beto));
    // The only contact is the sender's though its number is written in another way.
    let only = json!([contacts[0]]);
    item["from_user_id"] = Value::Null;
    let written = identity(Some("MX.2"), Some("52300000"), Some("Beto"));
    assert_eq!(sender(&item, &only), Some(written));
    item["from_user_id"] = json!("MX.3");
    let another = identity(Some("MX.3"), Some("52300000"), None);
    assert_eq!(sender(&item, &only), Some(another));
}

#[test]
fn the_only_contact_is_not_everybodys() {
    let mut stranger = message("text", &json!({ "body": "hola" }));
    stranger["from"] = json!("52300000");
    let items = json!([message("text", &json!({ "body": "hola" })), stranger]);
    let delivery = read(&change("messages", &around("messages", &items)));
    let names = delivery.events.iter().map(|event| match event {
        ChannelEvent::Message(message) => message.sender.name.as_deref(),
        other => panic!("{other:?}"),
    });
    assert_eq!(names.collect::<Vec<_>>(), [Some("Ana"), None]);
}

#[test]
fn a_file_is_read_with_where_it_lies() {
    let part = json!({
        "id": "55", "url": "https://lookaside.fbsbx.com/a", "mime_type": "application/pdf",
        "sha256": "c2hh", "filename": "receta.pdf", "caption": "mi receta",
    });
    let InboundContent::Media(file) = content("document", &part) else {
        panic!("no file")
    };
    assert_eq!(file.media, MediaKind::Document);
    assert_eq!(file.id.as_deref(), Some("55"));
    assert_eq!(file.url.as_deref(), Some("https://lookaside.fbsbx.com/a"));
    assert_eq!(file.mime_type.as_deref(), Some("application/pdf"));
    assert_eq!(file.filename.as_deref(), Some("receta.pdf"));
    assert_eq!(file.caption.as_deref(), Some("mi receta"));
    assert!(!file.recorded);
    for (kind, part, expected) in [
        ("image", json!({ "id": "1" }), MediaKind::Image),
        ("video", json!({ "id": "1" }), MediaKind::Video),
        ("sticker", json!({ "id": "1" }), MediaKind::Sticker),
        (
            "audio",
            json!({ "id": "1", "voice": true }),
            MediaKind::Audio,
        ),
    ] {
        let InboundContent::Media(file) = content(kind, &part) else {
            panic!("no file")
        };
        assert_eq!((file.media, file.recorded), (expected, kind == "audio"));
    }
    let long = json!({ "id": "1", "filename": format!("{}.pdf", "a".repeat(200)) });
    let InboundContent::Media(file) = content("document", &long) else {
        panic!("no file")
    };
    let filename = file.filename.unwrap();
    assert!(filename.len() == 100 && filename.ends_with("a.pdf"));
}

#[test]
fn what_is_tapped_is_a_choice() {
    let choice = |id: &str, title: &str| InboundContent::Choice {
        id: id.to_owned(),
        title: title.to_owned(),
    };
    let reply = json!({ "id": "slot:3", "title": "Martes", "description": "10:00" });
    for kind in ["button_reply", "list_reply"] {
        let tapped = content("interactive", &json!({ "type": kind, kind: reply }));
        assert_eq!(tapped, choice("slot:3", "Martes"));
    }
    let button = content("button", &json!({ "payload": "confirm", "text": "Sí" }));
    assert_eq!(button, choice("confirm", "Sí"));
    let plain = content("button", &json!({ "text": "Sí" }));
    assert_eq!(plain, choice("Sí", "Sí"));
}

#[test]
fn a_form_is_its_fields() {
    let reply = json!({ "response_json": "{\"edad\":\"31\"}", "body": "Sent", "name": "flow" });
    let part = json!({ "type": "nfm_reply", "nfm_reply": reply });
    let data = json!({ "edad": "31" });
    assert_eq!(content("interactive", &part), InboundContent::Form { data });
}

#[test]
fn everything_else_that_customers_send_is_read() {
    let place = content(
        "location",
        &json!({ "latitude": -12.05, "longitude": -77, "name": "Lima" }),
    );
    let lima = InboundContent::Location {
        latitude: -12.05,
        longitude: -77.0,
        name: Some("Lima".to_owned()),
        address: None,
    };
    assert_eq!(place, lima);
    let cards = json!([
        { "name": { "formatted_name": "Luz" }, "phones": [{ "phone": "+52 1", "wa_id": "521" }] },
        { "vcard": "…", "phones": [{ "wa_id": "522" }, {}] },
    ]);
    let InboundContent::Contacts { cards } = content("contacts", &cards) else {
        panic!("no cards")
    };
    assert_eq!((&*cards[0].name, &*cards[0].phones[0]), ("Luz", "+52 1"));
    assert_eq!(
        (&*cards[1].name, &*cards[1].phones),
        ("", &["522".to_owned()][..])
    );
    for (emoji, expected) in [(json!("👍"), Some("👍".to_owned())), (json!(""), None)] {
        let reaction = content(
            "reaction",
            &json!({ "message_id": "wamid.0", "emoji": emoji }),
        );
        let expected = InboundContent::Reaction {
            emoji: expected,
            message_id: "wamid.0".to_owned(),
        };
        assert_eq!(reaction, expected);
    }
    let items = json!([{ "product_retailer_id": "TACO", "quantity": 2 }]);
    let order = content("order", &json!({ "product_items": items, "text": "" }));
    assert_eq!(order, InboundContent::Order { items, text: None });
}

#[test]
fn a_message_is_changed_or_taken_back() {
    let message_id = "wamid.0".to_owned();
    for (kind, part) in [
        ("text", json!({ "body": "mejor mañana" })),
        ("image", json!({ "id": "1", "caption": "mejor mañana" })),
    ] {
        let edit = json!({
            "original_message_id": message_id,
            "message": { "type": kind, kind: part },
        });
        let edited = InboundContent::Edited {
            message_id: message_id.clone(),
            text: Some("mejor mañana".to_owned()),
        };
        assert_eq!(content("edit", &edit), edited);
    }
    let revoked = content("revoke", &json!({ "original_message_id": message_id }));
    assert_eq!(revoked, InboundContent::Deleted { message_id });
}

#[test]
fn what_is_not_known_is_unsupported() {
    let what = |item: &Value| match read_message(item).content {
        InboundContent::Unsupported { what } => what,
        other => panic!("{other:?}"),
    };
    let mut item = message("unsupported", &json!({ "type": "poll" }));
    assert_eq!(what(&item), "poll");
    item["unsupported"] = Value::Null;
    assert_eq!(what(&item), "unsupported");
    item["errors"] = json!([{ "code": 131_051, "title": "Message type unknown" }]);
    assert_eq!(what(&item), "error_131051");
    assert_eq!(what(&message("hologram", &json!({}))), "hologram");
    assert_eq!(what(&message("<b>", &json!({}))), "unknown");
    assert_eq!(what(&message("interactive", &Value::Null)), "interactive");
    let product = json!({ "type": "product", "product": {} });
    assert_eq!(
        what(&message("interactive", &product)),
        "interactive.product"
    );
}

#[test]
fn what_is_no_message_is_not_answered() {
    let mut group = message("text", &json!({ "body": "hola a todos" }));
    group["group_id"] = json!("120363000");
    let reply = json!({ "type": "call_permission_reply", "call_permission_reply": {} });
    let system = |part: Value| message("system", &part);
    let items = json!([
        group,
        message("request_welcome", &json!({})),
        message("interactive", &reply),
        system(json!({ "type": "customer_identity_changed" })),
        system(json!({ "type": "user_changed_user_id", "previous_user_id": "MX.0" })),
    ]);
    let delivery = read(&change("messages", &around("messages", &items)));
    assert_eq!(delivery.refused, []);
    let expected = [
        "other.messages.group",
        "other.messages.request_welcome",
        "other.messages.call_permission_reply",
        "other.messages.system.customer_identity_changed",
        "other.messages.system.user_changed_user_id",
    ];
    assert_eq!(kinds(&delivery), expected);
}

#[test]
fn a_number_becomes_another() {
    let part = json!({ "type": "user_changed_number", "wa_id": "525599999999" });
    let delivery = read(&change(
        "messages",
        &around("messages", &json!([message("system", &part)])),
    ));
    let changed = ChannelEvent::NumberChanged {
        from: "5215511112222".to_owned(),
        to: "525599999999".to_owned(),
        at: Timestamp::from_second(1_760_000_000).unwrap(),
    };
    assert_eq!(delivery.events, [changed]);
}

#[test]
fn a_bad_item_is_refused_by_itself() {
    let text = |body: &str| message("text", &json!({ "body": body }));
    let with = |key: &str, value: Value| {
        let mut item = text("hola");
        item[key] = value;
        item
    };
    for (item, reason) in [
        (
            with("timestamp", Value::Null),
            "its time is not there or is no time",
        ),
        (
            with("timestamp", json!("hoy")),
            "its time is not there or is no time",
        ),
        (
            with("timestamp", json!("99999999999999999")),
            "its time is not there or is no time",
        ),
        (with("id", Value::Null), "its id is not there"),
        (
            with("id", json!("w".repeat(201))),
            "an id is longer than 200 characters",
        ),
        (with("text", json!({})), "its text is not there"),
        (
            text(&"ñ".repeat(20_001)),
            "a text is longer than 20,000 characters",
        ),
        (
            message("image", &json!({ "caption": "a" })),
            "its file has neither an id nor an address",
        ),
        (
            message("location", &json!({ "latitude": 91, "longitude": 0 })),
            "its place is not on the map",
        ),
        (
            message("contacts", &json!({})),
            "its contacts are not a list",
        ),
    ] {
        assert_eq!(refusal(&item), reason);
    }
    let items = json!([with("id", Value::Null), text("hola")]);
    let delivery = read(&change("messages", &around("messages", &items)));
    assert_eq!(kinds(&delivery), ["message.text"]);
    assert_eq!(delivery.refused.len(), 1);
    let whole = text(&"ñ".repeat(20_000));
    assert_eq!(read_message(&whole).content.kind(), "text");
}

#[test]
fn a_time_may_be_a_number() {
    let mut item = message("text", &json!({ "body": "hola" }));
    item["timestamp"] = json!(1_760_000_000);
    assert_eq!(read_message(&item).at.as_second(), 1_760_000_000);
}
