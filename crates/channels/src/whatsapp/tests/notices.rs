//! What is no message of a customer: echoes, states, templates, consent, and the rest.

use super::{around, change, kinds, message, read};
use crate::inbound::{ChannelEvent, InboundContent, MessageEcho, StatusChange, StatusUpdate};
use crate::whatsapp::parse;
use serde_json::{Value, json};

fn echo(item: &Value) -> MessageEcho {
    let value = around("message_echoes", &json!([item]));
    let delivery = read(&change("smb_message_echoes", &value));
    match delivery.events.into_iter().next() {
        Some(ChannelEvent::Echo(echo)) => echo,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_owner_writes_from_their_phone() {
    let mut item = message("text", &json!({ "body": "Yo te atiendo" }));
    item["from"] = json!("525500000000");
    item["to"] = json!("5215511112222");
    let read = echo(&item);
    assert_eq!(read.account_id, "700");
    assert_eq!(read.recipient.phone.as_deref(), Some("5215511112222"));
    assert_eq!(read.recipient.user_id.as_deref(), Some("MX.1"));
    assert_eq!(read.content.kind(), "text");
    assert_eq!(read.app_id, None);
    // The contact may be the business itself.
    item["to"] = json!("5215533334444");
    assert_eq!(echo(&item).recipient.user_id, None);
    item["to"] = Value::Null;
    item["to_user_id"] = json!("MX.9");
    let read = echo(&item);
    assert_eq!(read.recipient.user_id.as_deref(), Some("MX.9"));
    assert_eq!(read.recipient.phone, None);
    // What they wrote cannot be read, and still they wrote.
    item["text"] = json!({});
    let what = "text".to_owned();
    assert_eq!(echo(&item).content, InboundContent::Unsupported { what });
}

fn status(item: &Value) -> StatusUpdate {
    let value = around("statuses", &json!([item]));
    let delivery = read(&change("messages", &value));
    assert_eq!(delivery.refused, []);
    match delivery.events.into_iter().next() {
        Some(ChannelEvent::Status(update)) => update,
        other => panic!("{other:?}"),
    }
}

fn state(state: &str) -> Value {
    json!({
        "id": "wamid.9",
        "status": state,
        "timestamp": "1760000000",
        "recipient_id": "5215511112222",
    })
}

#[test]
fn a_state_is_read_with_what_it_costs() {
    let mut item = state("delivered");
    item["biz_opaque_callback_data"] = json!("turn:7");
    item["pricing"] = json!({ "billable": true, "category": "SERVICE", "type": "free_tier" });
    let update = status(&item);
    assert_eq!(update.account_id, "700");
    assert_eq!(update.message_id.as_deref(), Some("wamid.9"));
    assert!(!update.up_to);
    assert_eq!(update.recipient.user_id.as_deref(), Some("MX.1"));
    assert_eq!(update.reference.as_deref(), Some("turn:7"));
    assert_eq!(update.category.as_deref(), Some("service"));
    assert_eq!(update.billable, Some(true));
    for (kind, billable) in [
        ("regular", Some(true)),
        ("free_customer_service", Some(false)),
        ("new", None),
    ] {
        item["pricing"] = json!({ "type": kind });
        assert_eq!(status(&item).billable, billable);
    }
    for (word, change) in [
        ("sent", StatusChange::Sent),
        ("read", StatusChange::Read),
        ("played", StatusChange::Played),
        ("deleted", StatusChange::Deleted),
    ] {
        assert_eq!(status(&state(word)).change, change);
    }
}

#[test]
fn a_failure_is_its_code() {
    let mut item = state("failed");
    item["errors"] = json!([{ "code": 131_047, "title": "Re-engagement message" }]);
    let failed = |code: i64, title: &str| StatusChange::Failed {
        code,
        title: title.to_owned(),
    };
    assert_eq!(
        status(&item).change,
        failed(131_047, "Re-engagement message")
    );
    item["errors"] = Value::Null;
    assert_eq!(status(&item).change, failed(-1, ""));
}

#[test]
fn a_recipient_may_have_a_user_id_alone() {
    let mut item = state("read");
    item["recipient_id"] = Value::Null;
    item["recipient_user_id"] = json!("MX.5");
    let update = status(&item);
    assert_eq!(update.recipient.user_id.as_deref(), Some("MX.5"));
    assert_eq!(update.recipient.phone, None);
    item["recipient_type"] = json!("group");
    item["recipient_id"] = json!("120363000");
    item["recipient_participant_id"] = json!("52300000");
    let update = status(&item);
    assert_eq!(update.recipient.phone.as_deref(), Some("52300000"));
}

#[test]
fn an_unknown_state_is_noted() {
    let mut without_id = state("sent");
    without_id["id"] = Value::Null;
    let items = json!([state("warning"), without_id]);
    let delivery = read(&change("messages", &around("statuses", &items)));
    assert_eq!(kinds(&delivery), ["other.messages.status.warning"]);
    let refused = &delivery.refused[0];
    assert_eq!(refused.path, "entry[0].changes[0].value.statuses[1]");
}

#[test]
fn a_template_is_approved_or_refused() {
    let event = |value: &Value| {
        let field = "message_template_status_update";
        read(&change(field, value)).events.pop()
    };
    let mut value = json!({
        "event": "APPROVED",
        "message_template_id": 12,
        "message_template_name": "recordatorio",
        "message_template_language": "es_MX",
        "reason": "NONE",
    });
    let template = |status: &str, reason: Option<&str>| {
        Some(ChannelEvent::Template {
            name: "recordatorio".to_owned(),
            language: "es_MX".to_owned(),
            status: status.to_owned(),
            reason: reason.map(str::to_owned),
        })
    };
    assert_eq!(event(&value), template("APPROVED", None));
    value["event"] = json!("REJECTED");
    value["reason"] = json!("INVALID_FORMAT");
    assert_eq!(event(&value), template("REJECTED", Some("INVALID_FORMAT")));
    value["rejection_info"] = json!({ "reason": "Text is missing." });
    let reason = "INVALID_FORMAT: Text is missing.";
    assert_eq!(event(&value), template("REJECTED", Some(reason)));
    value["message_template_name"] = Value::Null;
    assert_eq!(event(&value), None);
}

#[test]
fn a_customer_allows_or_forbids_marketing() {
    let event = |category: &str, choice: &str| {
        let item = json!({
            "wa_id": "5215511112222", "category": category, "value": choice,
            "timestamp": 1_760_000_000,
        });
        let value = around("user_preferences", &json!([item]));
        read(&change("user_preferences", &value))
            .events
            .pop()
            .unwrap()
    };
    for (choice, expected) in [("stop", false), ("resume", true), ("signup", true)] {
        let ChannelEvent::Consent {
            sender, allowed, ..
        } = event("marketing_messages", choice)
        else {
            panic!("no consent")
        };
        assert_eq!(allowed, expected);
        assert_eq!(sender.user_id.as_deref(), Some("MX.1"));
    }
    let kind = event("marketing_messages", "maybe").kind();
    assert_eq!(kind, "other.user_preferences.maybe");
    assert_eq!(event("calls", "stop").kind(), "other.user_preferences.stop");
}

#[test]
fn everything_else_is_noted_by_its_name() {
    for (field, value, expected) in [
        (
            "account_update",
            json!({ "event": "ACCOUNT_DELETED" }),
            "other.account_update.ACCOUNT_DELETED",
        ),
        (
            "message_template_quality_update",
            json!({ "new_quality_score": "YELLOW" }),
            "other.message_template_quality_update",
        ),
        (
            "flows",
            json!({ "event": "FLOW_STATUS_CHANGE" }),
            "other.flows.FLOW_STATUS_CHANGE",
        ),
        ("standby", around("messages", &json!([])), "other.standby"),
        (
            "calls",
            json!({ "calls": [{ "event": "connect" }] }),
            "other.calls.connect",
        ),
        (
            "calls",
            json!({ "statuses": [{ "status": "RINGING" }] }),
            "other.calls.RINGING",
        ),
        ("calls", json!({}), "other.calls"),
        (
            "messages",
            json!({ "errors": [{ "code": 130_429 }] }),
            "other.messages.error.130429",
        ),
        ("messages", json!({}), "other.messages"),
        ("<field>", json!({}), "other.unknown"),
    ] {
        let delivery = read(&change(field, &value));
        assert_eq!(kinds(&delivery), [expected]);
        assert_eq!(delivery.refused, []);
    }
}

#[test]
fn a_delivery_of_another_shape_is_refused_once() {
    for body in [
        "",
        "{",
        "null",
        "[]",
        "7",
        r#"{"object":"page","entry":[]}"#,
        r#"{"object":"whatsapp_business_account"}"#,
        r#"{"object":"whatsapp_business_account","entry":{}}"#,
    ] {
        let delivery = parse(body.as_bytes());
        assert_eq!(delivery.events, []);
        assert_eq!(delivery.refused.len(), 1, "{body}");
    }
}

#[test]
fn a_change_of_another_shape_takes_none_with_it() {
    let good = change(
        "messages",
        &around(
            "messages",
            &json!([message("sticker", &json!({ "id": "1" }))]),
        ),
    );
    let changes = json!([
        { "value": {} },
        { "field": "messages" },
        { "field": "messages", "value": { "messages": [{}] } },
        { "field": "messages", "value": around("messages", &json!({})) },
        good["entry"][0]["changes"][0],
    ]);
    let entry = json!([{ "changes": changes }, {}, 7]);
    let delivery = read(&json!({ "object": "whatsapp_business_account", "entry": entry }));
    assert_eq!(kinds(&delivery), ["message.sticker"]);
    let paths: Vec<_> = delivery.refused.iter().map(|item| &*item.path).collect();
    let expected = [
        "entry[0].changes[0].field",
        "entry[0].changes[1].value",
        "entry[0].changes[2].value.metadata",
        "entry[0].changes[3].value.messages",
        "entry[1].changes",
        "entry[2].changes",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn a_delivery_has_an_end() {
    let items = json!(vec![message("text", &json!({ "body": "hola" })); 1_005]);
    let delivery = read(&change("messages", &around("messages", &items)));
    assert_eq!(delivery.events.len(), 1_000);
    let reason = "5 more than 1000 were left out";
    assert_eq!(delivery.refused[0].reason, reason);
    let nothing = json!(vec![Value::Null; 5_000]);
    let delivery = read(&change("messages", &around("messages", &nothing)));
    assert_eq!((delivery.events.len(), delivery.refused.len()), (0, 1_001));
}
