mod sending;

use super::*;
use crate::inbound::{
    ChannelEvent, Delivery, InboundContent, InboundMessage, MediaKind, StatusChange,
};
use crate::signature::hmac_sha256;
use media::Handle;
use proptest::prelude::{ProptestConfig, any, prop};
use serde_json::{Value, json};

const BUSINESS: &str = "biz-open-id";
const CONVERSATION: &str = "q1+/w==";

fn envelope(event: &str, content: &Value) -> Vec<u8> {
    let envelope = json!({
        "client_key": "app-1", "event": event, "create_time": 1_790_000_000,
        "user_openid": BUSINESS, "content": content.to_string(),
    });
    envelope.to_string().into_bytes()
}

fn message(fields: &Value) -> Value {
    let mut content = json!({
        "from": "ana.gomez", "to": "panaderia", "unique_identifier": "u-77",
        "from_user": { "id": "u-77", "role": "personal_account" },
        "to_user": { "id": BUSINESS, "role": "business_account" },
        "conversation_id": CONVERSATION, "message_id": "m-1", "timestamp": 1_790_000_000_123_i64,
    });
    let fields = fields.as_object().unwrap().clone();
    content.as_object_mut().unwrap().extend(fields);
    content
}

fn received(fields: &Value) -> Delivery {
    parse(&envelope("im_receive_msg", &message(fields)))
}

fn only_message(delivery: Delivery) -> InboundMessage {
    assert_eq!(delivery.refused, []);
    match <[ChannelEvent; 1]>::try_from(delivery.events).unwrap() {
        [ChannelEvent::Message(message)] => message,
        [other] => panic!("{other:?}"),
    }
}

fn content_of(fields: &Value) -> InboundContent {
    only_message(received(fields)).content
}

#[test]
fn a_text_is_known_by_its_conversation() {
    let message = only_message(received(&json!({
        "type": "text", "text": { "body": "¿Abren hoy?" },
        "referenced_message_info": { "referenced_message_id": "m-0" },
    })));
    assert_eq!(message.account_id, BUSINESS);
    assert_eq!(message.sender.user_id.as_deref(), Some(CONVERSATION));
    assert_eq!(message.sender.name.as_deref(), Some("ana.gomez"));
    assert_eq!(message.sender.phone, None);
    assert_eq!(message.id, "m-1");
    assert_eq!(message.at.as_millisecond(), 1_790_000_000_123);
    assert_eq!(message.reply_to.as_deref(), Some("m-0"));
    let text = "¿Abren hoy?".to_owned();
    assert_eq!(message.content, InboundContent::Text { text });
}

#[test]
fn a_button_comes_with_the_id_that_it_was_given() {
    let content = content_of(&json!({
        "type": "text", "text": { "body": "Ver carta" },
        "reply_source_payload": { "reply_source_msg_id": "m-0", "reply_source_unique_id": "menu" },
    }));
    let (id, title) = ("menu".to_owned(), "Ver carta".to_owned());
    assert_eq!(content, InboundContent::Choice { id, title });
}

#[test]
fn files_are_known_by_all_that_tiktok_asks_for() {
    for (kind, expected) in [("image", MediaKind::Image), ("video", MediaKind::Video)] {
        let InboundContent::Media(media) =
            content_of(&json!({ "type": kind, kind: { "media_id": "f-9" } }))
        else {
            panic!("{kind}");
        };
        assert_eq!((media.media, &media.url), (expected, &None));
        let handle = Handle::unpacked(media.id.as_deref().unwrap()).unwrap();
        assert_eq!(handle.conversation, CONVERSATION);
        assert_eq!(
            (handle.message.as_str(), handle.file.as_str()),
            ("m-1", "f-9")
        );
    }
    for kind in ["sticker", "emoji"] {
        let content =
            content_of(&json!({ "type": kind, kind: { "url": "https://a.tiktokcdn.com/s" } }));
        assert_eq!(content.kind(), "sticker");
        let content = content_of(&json!({ "type": kind, kind: { "url": "javascript:alert(1)" } }));
        assert_eq!(content.kind(), "unsupported");
    }
}

#[test]
fn what_is_not_known_is_told_to_the_customer() {
    let shared =
        json!({ "type": "share_post", "share_post": { "embed_url": "https://www.tiktok.com/p" } });
    let text = "https://www.tiktok.com/p".to_owned();
    assert_eq!(content_of(&shared), InboundContent::Text { text });
    for kind in ["hologram", "text", "share_post", "template"] {
        let what = kind.to_owned();
        assert_eq!(
            content_of(&json!({ "type": kind })),
            InboundContent::Unsupported { what }
        );
    }
    let what = "unknown".to_owned();
    assert_eq!(content_of(&json!({})), InboundContent::Unsupported { what });
}

#[test]
fn each_reaction_is_one_and_drawn_ones_are_left_out() {
    let delivery = received(&json!({ "type": "reaction", "reaction": [
        { "operation": "ADD", "type": "EMOJI", "emoji": "👍", "original_msg_id": "m-a" },
        { "operation": "ADD", "type": "AI_EMOJI", "ai_emoji_url": "https://x", "original_msg_id": "m-b" },
        { "operation": "REMOVE", "type": "EMOJI", "emoji": "👍", "original_msg_id": "m-c" },
    ]}));
    let read = delivery.events.iter().map(|event| match event {
        ChannelEvent::Message(InboundMessage {
            id,
            content: InboundContent::Reaction { emoji, message_id },
            ..
        }) => (id.as_str(), emoji.as_deref(), message_id.as_str()),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        read.collect::<Vec<_>>(),
        [("m-1", Some("👍"), "m-a"), ("m-1#2", None, "m-c")]
    );
    let drawn = json!({ "type": "reaction", "reaction": [{ "type": "AI_EMOJI", "original_msg_id": "m-b" }] });
    assert_eq!(received(&drawn).events[0].kind(), "other.reaction");
}

#[test]
fn what_the_business_writes_is_an_echo() {
    let sent = |fields: Value| {
        let mut content = message(&json!({ "type": "text", "text": { "body": "Sí" } }));
        content["from_user"]["id"] = BUSINESS.into();
        content["to_user"]["id"] = "u-77".into();
        (content["from"], content["to"]) = ("panaderia".into(), "ana.gomez".into());
        content
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        content
    };
    for (fields, program) in [
        (json!({ "message_tag": { "source": "API" } }), Some("API")),
        (json!({ "message_tag": { "source": "APP" } }), None),
        (
            json!({ "message_tag": { "source": "UNKNOWN_SOURCE" } }),
            None,
        ),
        (json!({}), None),
        (
            json!({ "auto_message_type": "WELCOME_MESSAGE" }),
            Some("WELCOME_MESSAGE"),
        ),
    ] {
        // The second would be the bot's own words, delivered as a customer's.
        for event in ["im_send_msg", "im_receive_msg"] {
            let delivery = parse(&envelope(event, &sent(fields.clone())));
            let [ChannelEvent::Echo(echo)] = delivery.events.as_slice() else {
                panic!("{delivery:?}");
            };
            assert_eq!(echo.app_id.as_deref(), program);
            assert_eq!(echo.recipient.user_id.as_deref(), Some(CONVERSATION));
            assert_eq!(echo.recipient.name.as_deref(), Some("ana.gomez"));
        }
    }
}

#[test]
fn reading_goes_up_to_a_moment() {
    let mut content = message(&json!({ "read": { "last_read_timestamp": 1_789_999_999_000_i64 } }));
    let delivery = parse(&envelope("im_mark_read_msg", &content));
    let [ChannelEvent::Status(update)] = delivery.events.as_slice() else {
        panic!("{delivery:?}");
    };
    assert!(update.up_to);
    assert_eq!(
        (&update.change, &update.message_id),
        (&StatusChange::Read, &None)
    );
    assert_eq!(update.at.as_millisecond(), 1_789_999_999_000);
    assert_eq!(update.recipient.user_id.as_deref(), Some(CONVERSATION));
    content["from_user"]["id"] = BUSINESS.into();
    let own = parse(&envelope("im_mark_read_msg", &content));
    assert_eq!(own.events[0].kind(), "other.im_mark_read_msg");
}

#[test]
fn other_events_are_named() {
    for event in ["im_receive_msg_eu", "im_referral_msg", "comment.update"] {
        let delivery = parse(&envelope(event, &json!({})));
        assert_eq!(delivery.events[0].kind(), format!("other.{event}"));
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let path = |delivery: Delivery| {
        assert_eq!(delivery.events, []);
        delivery.refused[0].path.clone()
    };
    assert_eq!(path(parse(b"{")), "body");
    assert_eq!(path(parse(b"[1]")), "event");
    assert_eq!(
        path(parse(br#"{"event":"im_receive_msg"}"#)),
        "body.user_openid"
    );
    let broken = br#"{"event":"im_receive_msg","user_openid":"b","content":"{"}"#;
    assert_eq!(path(parse(broken)), "content");
    assert_eq!(
        path(received(&json!({ "conversation_id": "" }))),
        "content.conversation_id"
    );
    assert_eq!(
        path(received(&json!({ "message_id": "x".repeat(201) }))),
        "content.message_id"
    );
    let long = json!({ "type": "text", "text": { "body": "x".repeat(20_001) } });
    assert_eq!(path(received(&long)), "content.text.body");
    assert_eq!(
        path(received(&json!({ "type": "image", "image": {} }))),
        "content.image.media_id"
    );
}

#[test]
fn an_id_that_no_float_holds_stays_whole() {
    let message = only_message(received(
        &json!({ "type": "x", "message_id": 7_247_303_576_418_566_913_u64 }),
    ));
    assert_eq!(message.id, "7247303576418566913");
}

#[test]
fn a_signature_is_over_the_time_and_the_body() {
    let secret = SecretString::from("app secret");
    let now = Timestamp::from_second(1_790_000_000).unwrap();
    let mac = |time: &str, body: &[u8]| {
        hex::encode(hmac_sha256(b"app secret", &[time.as_bytes(), b".", body]))
    };
    let signed = |header: &str| is_signed(&secret, b"{}", Some(header), now);
    let right = mac("1790000000", b"{}");
    assert!(signed(&format!("t=1790000000,s={right}")));
    assert!(signed(&format!("s={right}, t=1790000000")));
    let (late, other) = (mac("1789999699", b"{}"), mac("1790000000", b"{ }"));
    for wrong in [
        String::new(),
        format!("t=1789999699,s={late}"),
        format!("t=1790000000,s={other}"),
        format!("t=1790000001,s={right}"),
        format!("t=,s={right}"),
        format!("t=1790000000,s={right}00"),
        format!("s={right}"),
        "t=1790000000".to_owned(),
    ] {
        assert!(!signed(&wrong), "{wrong}");
    }
    assert!(!is_signed(&secret, b"{}", None, now));
    let empty = SecretString::from("");
    let mac = hex::encode(hmac_sha256(b"", &[b"1790000000.{}"]));
    assert!(!is_signed(
        &empty,
        b"{}",
        Some(&format!("t=1790000000,s={mac}")),
        now
    ));
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// One field of a right delivery becomes something else.
    #[test]
    fn nothing_that_is_delivered_breaks_the_reader(
        kind in prop::sample::select(vec!["text", "image", "sticker", "reaction", "template", "share_post"]),
        event in prop::sample::select(vec!["im_receive_msg", "im_send_msg", "im_mark_read_msg"]),
        field in prop::sample::select(vec!["type", "text", "reaction", "read", "timestamp", "from_user", "image", "message_id"]),
        other in prop::sample::select(vec![json!(null), json!([]), json!([{}]), json!({}), json!(-1), json!(1e300), json!(i64::MAX), json!({ "body": 1 })]),
        bytes in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut content = message(&json!({ "type": kind, "text": { "body": "a" }, "reaction": [{ "emoji": "a" }] }));
        content[field] = other.clone();
        let delivery = parse(&envelope(event, &content));
        assert_eq!(delivery.events.is_empty(), !delivery.refused.is_empty());
        let _ = parse(&bytes);
        let _ = parse(other.to_string().as_bytes());
    }
}
