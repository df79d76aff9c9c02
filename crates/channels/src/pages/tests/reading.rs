//! What is made of deliveries.

use crate::inbound::{
    ChannelEvent, Delivery, InboundContent, InboundMessage, MediaKind, StatusChange,
};
use crate::pages::{parse, parse_item};
use quipu_core::Timestamp;
use quipu_core::lead::Channel;
use serde_json::{Value, json};

const AT: i64 = 1_790_000_000_123;

fn item(kind: &str, value: &Value) -> Value {
    json!({
        "sender": { "id": "71" },
        "recipient": { "id": 900 },
        "timestamp": AT,
        kind: value,
    })
}

fn delivered(channel: Channel, item: &Value) -> Vec<ChannelEvent> {
    let mut delivery = Delivery::default();
    parse_item(channel, item, "here", &mut delivery);
    assert_eq!(delivery.refused, []);
    delivery.events
}

fn read(kind: &str, value: &Value) -> Vec<ChannelEvent> {
    delivered(Channel::Messenger, &item(kind, value))
}

fn messages(kind: &str, value: &Value) -> Vec<InboundMessage> {
    let messages = read(kind, value).into_iter().map(|event| match event {
        ChannelEvent::Message(message) => message,
        other => panic!("{}", other.kind()),
    });
    messages.collect()
}

fn message(value: &Value) -> InboundMessage {
    let mut messages = messages("message", value);
    assert_eq!(messages.len(), 1);
    messages.remove(0)
}

fn kinds(events: &[ChannelEvent]) -> Vec<String> {
    events.iter().map(ChannelEvent::kind).collect()
}

fn reason(item: &Value) -> String {
    let mut delivery = Delivery::default();
    parse_item(Channel::Messenger, item, "here", &mut delivery);
    assert_eq!((delivery.events.len(), delivery.refused.len()), (0, 1));
    delivery.refused.remove(0).reason
}

#[test]
fn a_text_says_who_wrote_it_to_whom_and_when() {
    let message = message(&json!({ "mid": "m_1", "text": "¿Tienen mesa?" }));
    assert_eq!(message.account_id, "900");
    assert_eq!(message.sender.user_id.as_deref(), Some("71"));
    assert_eq!(message.sender.phone, None);
    assert_eq!(message.id, "m_1");
    assert_eq!(message.at, Timestamp::from_millisecond(AT).unwrap());
    let text = "¿Tienen mesa?".to_owned();
    assert_eq!(message.content, InboundContent::Text { text });
}

#[test]
fn a_tapped_answer_gives_back_what_we_put_in_it() {
    let reply = json!({ "mid": "m_1", "text": "Mañana", "quick_reply": { "payload": "dia:2" } });
    let (id, title) = ("dia:2".to_owned(), "Mañana".to_owned());
    assert_eq!(
        message(&reply).content,
        InboundContent::Choice { id, title }
    );

    let postback = json!({ "payload": "START", "referral": { "ref": "flyer" } });
    let first = messages("postback", &postback).remove(0);
    assert_eq!(first.referral, Some(json!({ "ref": "flyer" })));
    let (id, title) = ("START".to_owned(), "START".to_owned());
    assert_eq!(first.content, InboundContent::Choice { id, title });
    assert!(first.id.starts_with("postback."), "{}", first.id);
    assert_eq!(first.id, messages("postback", &postback).remove(0).id);
    let mut later = item("postback", &postback);
    later["timestamp"] = json!(AT + 1);
    let events = delivered(Channel::Messenger, &later);
    assert!(!matches!(&events[0], ChannelEvent::Message(later) if later.id == first.id));
    let named = messages("postback", &json!({ "payload": "A", "mid": "m_2" })).remove(0);
    assert_eq!(named.id, "m_2");
}

#[test]
fn each_file_is_a_message_and_the_words_go_with_the_first() {
    let files = messages(
        "message",
        &json!({
            "mid": "m_1",
            "text": "¿Cuánto por estos dos?",
            "reply_to": { "mid": "m_0" },
            "attachments": [
                { "type": "image", "payload": { "url": "https://a.fbcdn.net/1" } },
                { "type": "file", "payload": { "url": "https://a.fbsbx.com/2" } },
                { "type": "location",
                  "payload": { "coordinates": { "lat": -12.04, "long": -77.03 } } },
            ],
        }),
    );
    let ids: Vec<&str> = files.iter().map(|file| file.id.as_str()).collect();
    assert_eq!(ids, ["m_1", "m_1#1", "m_1#2"]);
    assert!(
        files
            .iter()
            .all(|file| file.reply_to.as_deref() == Some("m_0"))
    );
    let [
        InboundContent::Media(image),
        InboundContent::Media(file),
        place,
    ] = [&files[0].content, &files[1].content, &files[2].content]
    else {
        panic!("{files:?}");
    };
    assert_eq!(image.media, MediaKind::Image);
    assert_eq!(image.caption.as_deref(), Some("¿Cuánto por estos dos?"));
    assert_eq!(file.media, MediaKind::Document);
    assert_eq!((file.caption.as_deref(), file.recorded), (None, false));
    let InboundContent::Location {
        latitude,
        longitude,
        ..
    } = place
    else {
        panic!("{place:?}");
    };
    assert!((latitude + 12.04).abs() < 1e-9 && (longitude + 77.03).abs() < 1e-9);
}

#[test]
fn a_sound_of_instagram_was_recorded_on_the_spot() {
    let sound = json!({ "type": "audio", "payload": { "url": "https://a.fbsbx.com/1" } });
    let sound = item("message", &json!({ "mid": "m_1", "attachments": [sound] }));
    for (channel, expected) in [(Channel::Instagram, true), (Channel::Messenger, false)] {
        let events = delivered(channel, &sound);
        let ChannelEvent::Message(message) = &events[0] else {
            panic!("{events:?}");
        };
        let recorded = matches!(&message.content, InboundContent::Media(file) if file.recorded);
        assert_eq!(recorded, expected);
    }
}

#[test]
fn a_sticker_is_one_sticker_however_it_is_sent() {
    let image = json!({ "type": "image",
        "payload": { "url": "https://a.fbcdn.net/like.png", "sticker_id": 36 } });
    let sticker = json!({ "type": "sticker", "payload": { "sticker_id": 36 } });
    for attachments in [json!([image]), json!([sticker]), json!([image, sticker])] {
        let message = message(&json!({ "mid": "m_1", "attachments": attachments }));
        let InboundContent::Media(media) = message.content else {
            panic!("{:?}", message.content);
        };
        assert_eq!(
            (media.media, media.id.as_deref()),
            (MediaKind::Sticker, Some("36"))
        );
    }
    let bare = message(&json!({ "mid": "m_1", "sticker_id": 36 }));
    assert_eq!(bare.content.kind(), "sticker");
}

#[test]
fn what_cannot_be_shown_is_a_text_where_there_is_one() {
    let link = json!({ "type": "fallback", "payload": null, "title": "Una página" });
    let with_text = json!({ "mid": "m_1", "text": "mira ejemplo.com", "attachments": [link] });
    assert_eq!(message(&with_text).content.kind(), "text");

    let post = json!({ "type": "ig_post", "payload": { "url": "https://a.fbsbx.com/1",
        "title": "Menú del lunes" } });
    let share = json!({ "type": "share", "payload": { "url": "https://a.fbsbx.com/1" } });
    let shared = message(&json!({ "mid": "m_1", "attachments": [post, share] }));
    let what = "ig_post".to_owned();
    assert_eq!(shared.content, InboundContent::Unsupported { what });
    let title = &shared.referral.expect("the post")["ig_post"]["title"];
    assert_eq!(title, "Menú del lunes");

    for unreadable in [
        json!({ "mid": "m_1" }),
        json!({ "mid": "m_1", "is_unsupported": true }),
        json!({ "mid": "m_1", "attachments": [{ "type": "reel" }] }),
        json!({ "mid": "m_1", "attachments": [{ "type": "image", "payload": {} }] }),
        json!({ "mid": "m_1", "attachments": ["odd"] }),
        json!({ "mid": "m_1", "attachments": [{ "type": "location",
            "payload": { "coordinates": { "lat": 91, "long": 0 } } }] }),
    ] {
        assert_eq!(
            message(&unreadable).content.kind(),
            "unsupported",
            "{unreadable}"
        );
    }
}

#[test]
fn an_answer_to_a_story_keeps_the_story() {
    let story = json!({ "id": "5", "url": "https://a.fbsbx.com/5" });
    let answer = message(&json!({ "mid": "m_1", "text": "¡Qué rico!",
        "reply_to": { "story": story } }));
    assert_eq!(answer.reply_to, None);
    assert_eq!(answer.referral, Some(json!({ "story": story })));
    let ad = json!({ "source": "ADS", "ad_id": "1" });
    let from_ad = message(&json!({ "mid": "m_1", "text": "info", "referral": ad }));
    assert_eq!(from_ad.referral, Some(ad));
}

#[test]
fn an_echo_tells_a_program_from_a_person() {
    let apps = [
        (json!(1517), Some("1517")),
        (json!("263902037430900"), None),
        (json!(1_217_981_644_879_628_i64), None),
        (Value::Null, None),
    ];
    for (app, expected) in apps {
        let echo = json!({ "mid": "m_1", "text": "Hola", "is_echo": true, "app_id": app });
        let events = read("message", &echo);
        let [ChannelEvent::Echo(echo)] = events.as_slice() else {
            panic!("{events:?}");
        };
        assert_eq!(echo.account_id, "71");
        assert_eq!(echo.recipient.user_id.as_deref(), Some("900"));
        assert_eq!(echo.app_id.as_deref(), expected);
    }
    let withdrawn = json!({ "mid": "m_1", "is_echo": true, "is_deleted": true });
    let events = read("message", &withdrawn);
    assert_eq!(kinds(&events), ["echo.deleted"]);
    assert!(matches!(&events[0], ChannelEvent::Echo(echo) if echo.id == "m_1"));
}

#[test]
fn what_happens_to_a_message_has_an_id_of_its_own() {
    let deleted = message(&json!({ "mid": "m_1", "is_deleted": true }));
    let message_id = "m_1".to_owned();
    assert_eq!(deleted.content, InboundContent::Deleted { message_id });

    let edit = json!({ "mid": "m_1", "text": "a las 8", "num_edit": "1" });
    let edited = messages("message_edit", &edit).remove(0);
    let (message_id, text) = ("m_1".to_owned(), Some("a las 8".to_owned()));
    assert_eq!(edited.content, InboundContent::Edited { message_id, text });

    let love = json!({ "mid": "m_1", "action": "react", "reaction": "love", "emoji": "❤" });
    let loved = messages("reaction", &love).remove(0);
    let gone = json!({ "mid": "m_1", "action": "unreact", "emoji": "❤" });
    let gone = messages("reaction", &gone).remove(0);
    for (reacted, expected) in [(&loved, Some("❤")), (&gone, None)] {
        let (message_id, emoji) = ("m_1".to_owned(), expected.map(str::to_owned));
        assert_eq!(
            reacted.content,
            InboundContent::Reaction { emoji, message_id }
        );
    }
    let ids = [&deleted.id, &edited.id, &loved.id, &gone.id];
    for (index, id) in ids.iter().enumerate() {
        assert!(*id != "m_1" && !ids[..index].contains(id), "{id}");
    }
}

#[test]
fn instagram_tells_of_corrections_that_are_none() {
    let unchanged = json!({ "mid": "m_1", "num_edit": 0 });
    assert_eq!(
        kinds(&read("message_edit", &unchanged)),
        ["other.message_edit"]
    );
    let mut nobody = item("message_edit", &json!({ "mid": "m_1", "num_edit": 2 }));
    nobody["sender"] = Value::Null;
    let events = delivered(Channel::Instagram, &nobody);
    assert_eq!(kinds(&events), ["other.message_edit"]);
}

#[test]
fn receipts_are_for_one_message_or_up_to_a_moment() {
    let named = read(
        "delivery",
        &json!({ "mids": ["m_1", "m_2"], "watermark": AT - 5 }),
    );
    let upto = read("delivery", &json!({ "watermark": AT - 5 }));
    let read_upto = read("read", &json!({ "watermark": AT - 5 }));
    let read_one = read("read", &json!({ "mid": "m_3" }));
    let all = [named, upto, read_upto, read_one].concat();
    let found: Vec<_> = all
        .iter()
        .map(|event| {
            let ChannelEvent::Status(update) = event else {
                panic!("{event:?}");
            };
            assert_eq!(update.account_id, "900");
            assert_eq!(update.recipient.user_id.as_deref(), Some("71"));
            let at = AT - update.at.as_millisecond();
            (
                update.change.clone(),
                update.message_id.as_deref(),
                update.up_to,
                at,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (StatusChange::Delivered, Some("m_1"), false, 0),
            (StatusChange::Delivered, Some("m_2"), false, 0),
            (StatusChange::Delivered, None, true, 5),
            (StatusChange::Read, None, true, 5),
            (StatusChange::Read, Some("m_3"), false, 0),
        ]
    );
    let mut undated = item("delivery", &json!({ "mids": ["m_1"], "watermark": AT - 5 }));
    undated["timestamp"] = Value::Null;
    let events = delivered(Channel::Messenger, &undated);
    assert!(matches!(&events[0], ChannelEvent::Status(one) if one.at.as_millisecond() == AT - 5));
}

#[test]
fn everything_else_has_a_name() {
    let blocked = json!({ "action": "block", "reason": "spam" });
    for (kind, value, expected) in [
        ("optin", json!({ "ref": "x" }), "other.optin"),
        ("referral", json!({ "ref": "x" }), "other.referral"),
        (
            "take_thread_control",
            json!({}),
            "other.take_thread_control",
        ),
        (
            "policy_enforcement",
            blocked.clone(),
            "other.policy_enforcement.block",
        ),
        (
            "policy-enforcement",
            blocked,
            "other.policy_enforcement.block",
        ),
        (
            "policy_enforcement",
            json!({ "action": "Ana\n" }),
            "other.policy_enforcement",
        ),
        ("holograms", json!({}), "other.unknown"),
    ] {
        assert_eq!(kinds(&read(kind, &value)), [expected]);
    }
    let mut own = item("message", &json!({ "mid": "m_1", "text": "nota" }));
    own["recipient"]["id"] = json!("71");
    assert_eq!(kinds(&delivered(Channel::Instagram, &own)), ["other.self"]);
}

#[test]
fn names_in_camel_case_are_read_too() {
    let reply = json!({ "mid": "m_1", "text": "Sí", "quickReply": { "payload": "yes" } });
    assert_eq!(message(&reply).content.kind(), "choice");
    let events = read("passThreadControl", &json!({ "newOwnerAppId": "1" }));
    assert_eq!(kinds(&events), ["other.pass_thread_control"]);
}

#[test]
fn an_item_that_lacks_something_is_refused_alone() {
    let good = item("message", &json!({ "mid": "m_1", "text": "hola" }));
    let cases = [
        ("/sender/id", Value::Null, "it does not say who wrote"),
        (
            "/recipient",
            Value::Null,
            "it does not say to whom it was written",
        ),
        ("/timestamp", Value::Null, "it does not say when"),
        ("/timestamp", json!("ayer"), "a time is no time"),
        ("/timestamp", json!(i64::MAX), "a time is no time"),
        ("/message", json!("hola"), "the message is no object"),
        ("/message/mid", json!(""), "the message has no id"),
        ("/message/mid", json!("m".repeat(201)), "an id is too long"),
        (
            "/message/text",
            json!("a".repeat(20_001)),
            "a text is too long",
        ),
    ];
    for (pointer, value, expected) in cases {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect(pointer) = value;
        assert_eq!(reason(&bad), expected, "{pointer}");
    }
    assert_eq!(reason(&json!("hola")), "it is no object");
    let body = json!({ "object": "page", "entry": [{ "messaging": [7, good] }] });
    let delivery = parse(Channel::Messenger, body.to_string().as_bytes());
    assert_eq!(kinds(&delivery.events), ["message.text"]);
    assert_eq!(delivery.refused[0].path, "entry[0].messaging[0]");
}
