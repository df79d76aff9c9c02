//! Where Instagram differs from Messenger.

use crate::business::{Business, code};
use crate::messenger::ana;
use quipu_simulator::{CustomerWrites, MessageState, SimulatedChannel};
use serde_json::{Value, json};
use std::time::Duration;

fn text(text: &str) -> Value {
    json!({ "recipient": { "id": "7100000000000001" }, "message": { "text": text } })
}

#[tokio::test]
async fn a_text_is_measured_in_bytes_and_comes_back() {
    let business = Business::open(SimulatedChannel::Instagram).await;
    business.greeted_by(&ana()).await;
    assert_eq!(business.send(&text(&"ñ".repeat(500))).await.0, 200);
    assert_eq!(code(&business.send(&text(&"ñ".repeat(501))).await), 100);
    let bodies = business.bodies().await;
    assert_eq!(bodies.len(), 1, "nothing is told of what has arrived");
    assert_eq!(bodies[0]["object"], "instagram");
    assert_eq!(
        bodies[0]["entry"][0]["messaging"][0]["message"]["is_echo"],
        true
    );
    let id = &business.account.account_id;
    let sent = business.simulator.sent(id).remove(0);
    assert_eq!(sent.state, MessageState::Delivered);
    business
        .simulator
        .report(id, &sent.id, MessageState::Read, None)
        .unwrap();
    let read = business.bodies().await.remove(0);
    assert_eq!(
        read["entry"][0]["messaging"][0]["read"],
        json!({ "mid": sent.id })
    );
}

#[tokio::test]
async fn outside_the_window_it_has_a_subcode_of_its_own() {
    let business = Business::open(SimulatedChannel::Instagram).await;
    business.greeted_by(&ana()).await;
    business.simulator.advance(Duration::from_hours(25));
    let answer = business.send(&text("hola")).await;
    assert_eq!(code(&answer), 10);
    assert_eq!(answer.1["error"]["error_subcode"], 2_534_022);
}

#[tokio::test]
async fn a_message_that_was_taken_back_is_told_by_its_id() {
    let business = Business::open(SimulatedChannel::Instagram).await;
    let first = business.greeted_by(&ana()).await;
    business
        .write(
            &ana(),
            CustomerWrites::Deleted {
                message_id: first.clone(),
            },
        )
        .await;
    let body = business.bodies().await.remove(0);
    let message = &body["entry"][0]["messaging"][0]["message"];
    assert_eq!(*message, json!({ "mid": first, "is_deleted": true }));
    business.write(&ana(), CustomerWrites::Unsupported).await;
    let body = business.bodies().await.remove(0);
    assert_eq!(
        body["entry"][0]["messaging"][0]["message"]["is_unsupported"],
        true
    );
    let (_, me) = business.graph("v26.0/me?fields=user_id,username").await;
    assert_eq!(me["user_id"], business.account.account_id);
}
