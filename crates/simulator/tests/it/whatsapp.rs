//! What a business sends over WhatsApp, and what becomes of it.

use crate::business::{Business, code, rosa};
use quipu_simulator::{
    MessageAuthor, MessageState, SignalKind, SimulatedChannel, SimulatedCustomer, SimulatedFailure,
};
use serde_json::{Value, json};
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

fn text(to: &str, text: &str) -> Value {
    json!({
        "messaging_product": "whatsapp", "recipient_type": "individual", "to": to, "type": "text",
        "text": { "body": text }, "biz_opaque_callback_data": "ref-1",
    })
}

fn statuses(bodies: &[Value]) -> Vec<Value> {
    let values = bodies
        .iter()
        .map(|body| &body["entry"][0]["changes"][0]["value"]["statuses"][0]);
    values.cloned().collect()
}

#[tokio::test]
async fn a_message_is_taken_and_told_of_in_order() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let (status, answer) = business.send(&text("+51 987-654-321", "¡Hola!")).await;
    assert_eq!(status, 200);
    assert_eq!(answer["messaging_product"], "whatsapp");
    assert_eq!(
        answer["contacts"],
        json!([{ "input": "+51 987-654-321", "wa_id": "51987654321" }])
    );
    let id = answer["messages"][0]["id"].as_str().unwrap();
    assert!(id.starts_with("wamid."));

    let bodies = business.bodies().await;
    let told = statuses(&bodies);
    let said: Vec<_> = told
        .iter()
        .map(|status| status["status"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["sent", "delivered"]);
    for status in &told {
        assert_eq!(status["id"], id);
        assert_eq!(status["recipient_id"], "51987654321");
        assert_eq!(status["biz_opaque_callback_data"], "ref-1");
        assert_eq!(status["pricing"]["category"], "service");
        assert_eq!(status["pricing"]["billable"], true);
        assert_eq!(status["timestamp"], "1795000000");
    }
    let [sent] = &business.simulator.sent(&business.account.account_id)[..] else {
        panic!("one message was sent");
    };
    assert_eq!(sent.text.as_deref(), Some("¡Hola!"));
    assert_eq!(sent.state, MessageState::Delivered);
    assert_eq!(sent.author, MessageAuthor::Business);
    assert_eq!(sent.customer_id, "51987654321");
}

#[tokio::test]
async fn whoever_hides_a_number_is_known_by_an_id() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let hidden = rosa().hidden();
    business.greeted_by(&hidden).await;
    let user_id = hidden.user_id_for(&business.account);
    let mut body = text("", "hola");
    body.as_object_mut().unwrap().remove("to");
    body["recipient"] = user_id.as_str().into();
    let (status, answer) = business.send(&body).await;
    assert_eq!(status, 200);
    assert_eq!(
        answer["contacts"],
        json!([{ "input": user_id, "user_id": user_id }])
    );
    let status = &statuses(&business.bodies().await)[0];
    assert_eq!(status["recipient_user_id"], user_id);
    assert!(status.get("recipient_id").is_none());
    body["recipient"] = "PE.1".into();
    assert_eq!(code(&business.send(&body).await), 131_009);
}

#[tokio::test]
async fn a_number_is_answered_as_the_channel_spells_it() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business
        .greeted_by(&SimulatedCustomer::new("5215512345678", "Lupita"))
        .await;
    let (_, answer) = business.send(&text("525512345678", "hola")).await;
    assert_eq!(answer["contacts"][0]["wa_id"], "5215512345678");
    assert_eq!(statuses(&business.bodies().await)[0]["status"], "sent");
}

#[tokio::test]
async fn a_free_message_outside_the_window_is_taken_and_fails_later() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    business.simulator.advance(DAY);
    assert_eq!(business.send(&text("51987654321", "hola")).await.0, 200);
    assert_eq!(
        statuses(&business.bodies().await)[0]["status"],
        "sent",
        "just in time"
    );

    business.simulator.advance(Duration::from_secs(1));
    for to in ["51987654321", "51900000099"] {
        let (status, answer) = business.send(&text(to, "hola")).await;
        assert_eq!(status, 200);
        let [failed] = &statuses(&business.bodies().await)[..] else {
            panic!("one state was told");
        };
        assert_eq!(failed["id"], answer["messages"][0]["id"]);
        assert_eq!(failed["status"], "failed");
        assert_eq!(failed["errors"][0]["code"], 131_047);
        assert_eq!(failed["biz_opaque_callback_data"], "ref-1");
    }
    let last = business
        .simulator
        .sent(&business.account.account_id)
        .pop()
        .unwrap();
    assert_eq!(
        (last.state, last.failure_code),
        (MessageState::Failed, Some(131_047))
    );

    let template = json!({
        "messaging_product": "whatsapp", "to": "51987654321", "type": "template",
        "template": { "name": "hello_world", "language": { "code": "en_US" } },
    });
    let (status, answer) = business.send(&template).await;
    assert_eq!(status, 200);
    assert_eq!(answer["messages"][0]["message_status"], "accepted");
    let told = statuses(&business.bodies().await);
    assert_eq!(told[0]["pricing"]["category"], "utility");
    assert_eq!(told[1]["status"], "delivered");
}

#[tokio::test]
async fn reading_and_typing_is_seen() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let id = business.greeted_by(&rosa()).await;
    let mut read = json!({ "messaging_product": "whatsapp", "status": "read", "message_id": id });
    assert_eq!(
        business.send(&read).await,
        (200, json!({ "success": true }))
    );
    read["typing_indicator"] = json!({ "type": "text" });
    assert_eq!(business.send(&read).await.0, 200);
    let signals = business.simulator.signals(&business.account.account_id);
    let kinds: Vec<_> = signals.iter().map(|signal| signal.kind).collect();
    assert_eq!(
        kinds,
        [SignalKind::Read, SignalKind::Read, SignalKind::Typing]
    );
    assert_eq!(signals[2].message_id.as_deref(), Some(id.as_str()));
    assert_eq!(signals[2].customer_id, "51987654321");
    let messages = business.simulator.messages(&business.account.account_id);
    assert_eq!(messages[0].state, MessageState::Read);
    assert!(
        business
            .simulator
            .sent(&business.account.account_id)
            .is_empty()
    );

    read["message_id"] = "wamid.none".into();
    assert_eq!(code(&business.send(&read).await), 131_009);
    read["status"] = "seen".into();
    assert_eq!(code(&business.send(&read).await), 131_009);
}

#[tokio::test]
async fn a_failure_comes_as_often_as_it_was_planned() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let id = business.account.account_id.clone();
    business.greeted_by(&rosa()).await;
    let failure = SimulatedFailure::by_code(SimulatedChannel::Whatsapp, 130_429).unwrap();
    business.simulator.fail_next(&id, failure.retry_after(7), 2);
    for _ in 0..2 {
        let url = business.url(&format!("v26.0/{id}/messages"));
        let request = business.http.post(url).bearer_auth(&business.account.token);
        let response = request
            .json(&text("51987654321", "hola"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 429);
        assert_eq!(response.headers()["retry-after"], "7");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], 130_429);
        assert_eq!(body["error"]["message"], "(#130429) Rate limit hit");
    }
    assert!(business.simulator.sent(&id).is_empty());

    let undeliverable = SimulatedFailure::by_code(SimulatedChannel::Whatsapp, 131_026).unwrap();
    business.simulator.fail_next(&id, undeliverable.later(), 1);
    assert_eq!(business.send(&text("51987654321", "hola")).await.0, 200);
    let told = statuses(&business.bodies().await);
    assert_eq!(told[0]["errors"][0]["code"], 131_026);

    assert_eq!(business.send(&text("51987654321", "hola")).await.0, 200);
    assert_eq!(business.bodies().await.len(), 2);
}

#[tokio::test]
async fn a_connection_breaks_after_the_message_was_taken() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let id = business.account.account_id.clone();
    business.greeted_by(&rosa()).await;
    business
        .simulator
        .fail_next(&id, SimulatedFailure::broken_connection(), 1);
    let url = business.url(&format!("v26.0/{id}/messages"));
    let request = business.http.post(url).bearer_auth(&business.account.token);
    let answer = request.json(&text("51987654321", "hola")).send().await;
    let broken = match answer {
        Ok(response) => response.bytes().await.is_err(),
        Err(_) => true,
    };
    assert!(broken);
    assert_eq!(business.simulator.sent(&id).len(), 1);
    assert_eq!(business.bodies().await.len(), 2, "its states are told");
}

#[tokio::test]
async fn the_states_that_a_customer_causes_are_told() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let id = business.account.account_id.clone();
    let theirs = business.greeted_by(&rosa()).await;
    business.send(&text("51987654321", "hola")).await;
    business.bodies().await;
    let sent = business.simulator.sent(&id)[0].id.clone();
    business
        .simulator
        .report(&id, &sent, MessageState::Read, None)
        .unwrap();
    let told = statuses(&business.bodies().await);
    assert_eq!(told[0]["status"], "read");
    assert_eq!(business.simulator.sent(&id)[0].state, MessageState::Read);
    assert!(
        business
            .simulator
            .report(&id, &theirs, MessageState::Read, None)
            .is_err()
    );
    assert!(
        business
            .simulator
            .report(&id, "wamid.none", MessageState::Read, None)
            .is_err()
    );
}

#[tokio::test]
async fn a_delivery_that_did_not_arrive_is_made_again() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    business.stumbles(1);
    business.send(&text("51987654321", "hola")).await;
    let told = statuses(&business.bodies().await);
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["status"], "sent", "in order all the same");
}
