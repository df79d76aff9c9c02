//! Messenger.

use crate::business::{Business, code, hmac, told};
use quipu_simulator::{
    CustomerWrites, MessageState, SignalKind, SimulatedChannel, SimulatedCustomer, SimulatedFailure,
};
use serde_json::{Value, json};
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

pub(crate) fn ana() -> SimulatedCustomer {
    SimulatedCustomer::new("7100000000000001", "Ana Paz")
}

fn text(text: &str) -> Value {
    json!({
        "recipient": { "id": "7100000000000001" }, "messaging_type": "RESPONSE",
        "message": { "text": text },
    })
}

fn event(body: &Value) -> &Value {
    &body["entry"][0]["messaging"][0]
}

#[tokio::test]
async fn a_message_is_signed_and_ours_comes_back() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    let written = business
        .write(&ana(), CustomerWrites::text("¿Hay sitio?"))
        .await;
    let received = business.received().await.remove(0);
    let expected = hmac(&business.account.app_secret, &[&received.bytes]);
    assert_eq!(
        received.headers["x-hub-signature-256"],
        format!("sha256={expected}")
    );
    assert_eq!(received.body["object"], "page");
    assert_eq!(received.body["entry"][0]["id"], business.account.account_id);
    let told = event(&received.body);
    assert_eq!(told["sender"]["id"], "7100000000000001");
    assert_eq!(told["recipient"]["id"], business.account.account_id);
    assert_eq!(told["timestamp"], 1_795_000_000_000_i64);
    assert_eq!(
        told["message"],
        json!({ "mid": written.message_id, "text": "¿Hay sitio?" })
    );

    let (status, answer) = business.send(&text("Sí")).await;
    assert_eq!(status, 200);
    assert_eq!(answer["recipient_id"], "7100000000000001");
    let bodies = business.bodies().await;
    assert_eq!(bodies.len(), 2);
    let echo = event(&bodies[0]);
    assert_eq!(echo["message"]["mid"], answer["message_id"]);
    assert_eq!(echo["message"]["is_echo"], true);
    assert!(echo["message"]["app_id"].is_u64());
    assert_eq!(echo["sender"]["id"], business.account.account_id);
    assert_eq!(echo["recipient"]["id"], "7100000000000001");
    assert_eq!(
        event(&bodies[1])["delivery"]["mids"],
        json!([answer["message_id"]])
    );
    let id = &business.account.account_id;
    assert_eq!(
        business.simulator.sent(id)[0].state,
        MessageState::Delivered
    );

    let sent = business.simulator.sent(id)[0].id.clone();
    business
        .simulator
        .report(id, &sent, MessageState::Read, None)
        .unwrap();
    assert_eq!(
        event(&business.bodies().await[0])["read"]["watermark"],
        1_795_000_000_000_i64
    );
    assert_eq!(business.simulator.sent(id)[0].state, MessageState::Read);
    let refused = business
        .simulator
        .report(id, &sent, MessageState::Sent, None);
    assert!(refused.is_err(), "Messenger tells of no such state");
}

#[tokio::test]
async fn every_limit_is_kept() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let typed = |kind: &str, tag: Option<&str>| {
        let mut body = text("hola");
        body["messaging_type"] = kind.into();
        if let Some(tag) = tag {
            body["tag"] = tag.into();
        }
        body
    };
    let replies = |count: usize, title: &str| {
        let reply = json!({ "content_type": "text", "title": title, "payload": "p" });
        let mut body = text("¿Cuál?");
        body["message"]["quick_replies"] = vec![reply; count].into();
        body
    };
    let mut untyped = text("hola");
    untyped.as_object_mut().unwrap().remove("messaging_type");
    let mut stranger = text("hola");
    stranger["recipient"]["id"] = "1".into();
    let mut nothing = text("hola");
    nothing.as_object_mut().unwrap().remove("message");
    let attachment = |kind: &str, payload: Value| {
        let mut body = text("");
        body["message"] = json!({ "attachment": { "type": kind, "payload": payload } });
        body
    };
    for (what, body, expected) in [
        ("the longest", text(&"ñ".repeat(2000)), 0),
        ("too long", text(&"ñ".repeat(2001)), 100),
        ("empty", text(" "), 100),
        ("no type", untyped, 100),
        ("an update", typed("UPDATE", None), 100),
        (
            "a tag for people",
            typed("MESSAGE_TAG", Some("HUMAN_AGENT")),
            0,
        ),
        (
            "another tag",
            typed("MESSAGE_TAG", Some("ACCOUNT_UPDATE")),
            100,
        ),
        ("no tag", typed("MESSAGE_TAG", None), 100),
        (
            "a tag too many",
            typed("RESPONSE", Some("HUMAN_AGENT")),
            100,
        ),
        ("nobody", stranger, 100),
        ("nothing", nothing, 100),
        ("thirteen", replies(13, "Uno"), 0),
        ("fourteen", replies(14, "Uno"), 100),
        ("a long title", replies(1, &"t".repeat(21)), 100),
        ("the longest title", replies(1, &"t".repeat(20)), 0),
        (
            "an image",
            attachment("image", json!({ "url": "https://example.com/a.png" })),
            0,
        ),
        ("no address", attachment("image", json!({})), 100),
        ("an unknown kind", attachment("poem", json!({})), 100),
    ] {
        let answer = business.send(&body).await;
        assert_eq!(code(&answer), expected, "{what}: {answer:?}");
    }
    let sent = business.simulator.sent(&business.account.account_id);
    let by_person: Vec<bool> = sent.iter().map(|message| message.by_person).collect();
    assert_eq!(by_person, [false, true, false, false, false]);
}

#[tokio::test]
async fn people_have_seven_days_and_programs_one() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let mut by_person = text("hola");
    by_person["messaging_type"] = "MESSAGE_TAG".into();
    by_person["tag"] = "HUMAN_AGENT".into();
    business.simulator.advance(DAY + Duration::from_secs(1));
    let (status, answer) = business.send(&text("hola")).await;
    assert_eq!(status, 400);
    assert_eq!(answer["error"]["code"], 10);
    assert_eq!(answer["error"]["error_subcode"], 2_018_278);
    assert_eq!(business.send(&by_person).await.0, 200);
    business.simulator.advance(DAY * 6);
    assert_eq!(code(&business.send(&by_person).await), 10);
}

#[tokio::test]
async fn what_was_offered_comes_back_when_it_is_tapped() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let mut quick = text("¿Cuál?");
    quick["message"]["quick_replies"] =
        json!([{ "content_type": "text", "title": "Corte", "payload": "cut" }]);
    assert_eq!(business.send(&quick).await.0, 200);
    let mut template = text("");
    template["message"] = json!({ "attachment": { "type": "template", "payload": {
        "template_type": "button", "text": "¿Seguro?",
        "buttons": [{ "type": "postback", "title": "Sí", "payload": "yes" }],
    } } });
    assert_eq!(business.send(&template).await.0, 200);
    business.received().await;
    business.write(&ana(), CustomerWrites::tap("cut")).await;
    business.write(&ana(), CustomerWrites::tap("yes")).await;
    let bodies = business.bodies().await;
    assert_eq!(
        event(&bodies[0])["message"]["quick_reply"],
        json!({ "payload": "cut" })
    );
    assert_eq!(event(&bodies[0])["message"]["text"], "Corte");
    assert_eq!(event(&bodies[1])["postback"]["payload"], "yes");
    assert_eq!(event(&bodies[1])["postback"]["title"], "Sí");
}

#[tokio::test]
async fn files_places_and_changes_are_told() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    let first = business.greeted_by(&ana()).await;
    business
        .write(
            &ana(),
            CustomerWrites::image(*b"\xff\xd8", "image/jpeg", None),
        )
        .await;
    let body = business.bodies().await.remove(0);
    let attachment = &event(&body)["message"]["attachments"][0];
    assert_eq!(attachment["type"], "image");
    let url = attachment["payload"]["url"].as_str().unwrap();
    let response = business.http.get(url).send().await.unwrap();
    assert_eq!(
        response.bytes().await.unwrap().as_ref(),
        b"\xff\xd8",
        "open to whoever knows it"
    );

    let message_id = first.clone();
    let emoji = Some("❤️".to_owned());
    business
        .write(&ana(), CustomerWrites::Reaction { emoji, message_id })
        .await;
    let text = "buenas".to_owned();
    business
        .write(
            &ana(),
            CustomerWrites::Edited {
                message_id: first.clone(),
                text,
            },
        )
        .await;
    let bodies = business.bodies().await;
    let reaction = json!({ "mid": first, "action": "react", "reaction": "other", "emoji": "❤️" });
    assert_eq!(event(&bodies[0])["reaction"], reaction);
    let edit = json!({ "mid": first, "text": "buenas", "num_edit": 1 });
    assert_eq!(event(&bodies[1])["message_edit"], edit);
    let id = &business.account.account_id;
    let deleted = CustomerWrites::Deleted { message_id: first };
    assert!(business.simulator.write(id, &ana(), deleted).await.is_err());
    let captioned = CustomerWrites::image(*b"\xff\xd8", "image/jpeg", Some("hola"));
    assert!(
        business
            .simulator
            .write(id, &ana(), captioned)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn signs_of_life_are_remembered() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    for action in ["mark_seen", "typing_on", "typing_off"] {
        let body = json!({ "recipient": { "id": "7100000000000001" }, "sender_action": action });
        let answer = business.send(&body).await;
        assert_eq!(answer, (200, json!({ "recipient_id": "7100000000000001" })));
    }
    let signals = business.simulator.signals(&business.account.account_id);
    let kinds: Vec<_> = signals.iter().map(|signal| signal.kind).collect();
    assert_eq!(
        kinds,
        [
            SignalKind::Read,
            SignalKind::Typing,
            SignalKind::TypingStopped
        ]
    );
    let mut both = text("hola");
    both["sender_action"] = "typing_on".into();
    assert_eq!(code(&business.send(&both).await), 100);
    let unknown = json!({ "recipient": { "id": "7100000000000001" }, "sender_action": "wave" });
    assert_eq!(code(&business.send(&unknown).await), 100);
}

#[tokio::test]
async fn the_owner_writes_without_a_program_or_from_the_inbox() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let id = &business.account.account_id;
    business
        .simulator
        .echo(id, &ana(), "Yo sigo", None)
        .await
        .unwrap();
    business
        .simulator
        .echo(id, &ana(), "Y yo", Some(263_902_037_430_900))
        .await
        .unwrap();
    let bodies = business.bodies().await;
    assert_eq!(event(&bodies[0])["message"]["is_echo"], true);
    assert!(event(&bodies[0])["message"].get("app_id").is_none());
    assert_eq!(
        event(&bodies[1])["message"]["app_id"],
        263_902_037_430_900_i64
    );
}

#[tokio::test]
async fn a_page_and_its_customers_have_names() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let (_, page) = business.graph("v26.0/me?fields=name").await;
    assert_eq!(
        page,
        json!({ "id": business.account.account_id, "name": "Negocio de prueba" })
    );
    let (_, person) = business
        .graph("v26.0/7100000000000001?fields=first_name,last_name")
        .await;
    assert_eq!(
        person,
        json!({ "id": "7100000000000001", "first_name": "Ana", "last_name": "Paz" })
    );
    let apps = business.url(&format!(
        "v26.0/{}/subscribed_apps",
        business.account.account_id
    ));
    let request = business
        .http
        .post(&apps)
        .bearer_auth(&business.account.token);
    assert_eq!(code(&told(request.send().await.unwrap()).await), 100);
    let request = business
        .http
        .post(format!("{apps}?subscribed_fields=messages"));
    let request = request.bearer_auth(&business.account.token);
    assert_eq!(
        told(request.send().await.unwrap()).await.1,
        json!({ "success": true })
    );
}

#[tokio::test]
async fn a_failure_is_the_one_that_is_documented() {
    let business = Business::open(SimulatedChannel::Messenger).await;
    business.greeted_by(&ana()).await;
    let failure = SimulatedFailure::by_code(SimulatedChannel::Messenger, 551).unwrap();
    business
        .simulator
        .fail_next(&business.account.account_id, failure, 1);
    assert_eq!(code(&business.send(&text("hola")).await), 551);
    assert_eq!(business.send(&text("hola")).await.0, 200);
}
