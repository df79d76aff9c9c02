//! `TikTok`.

use crate::business::{Business, hmac, told};
use quipu_simulator::{
    CustomerWrites, MessageState, SignalKind, SimulatedChannel, SimulatedCustomer, SimulatedFailure,
};
use serde_json::{Value, json};

fn leo() -> SimulatedCustomer {
    SimulatedCustomer::new("open-id-of-leo", "Leo Cruz")
}

async fn send(business: &Business, token: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = business
        .http
        .post(business.url(path))
        .header("access-token", token);
    told(request.json(body).send().await.unwrap()).await
}

const SEND: &str = "open_api/v1.3/business/message/send/";

fn content(body: &Value) -> Value {
    serde_json::from_str(body["content"].as_str().unwrap()).unwrap()
}

fn text(business: &Business, conversation: &Value, text: &str) -> Value {
    json!({
        "business_id": business.account.account_id, "recipient_type": "CONVERSATION",
        "recipient": conversation, "message_type": "TEXT", "text": { "body": text },
    })
}

#[tokio::test]
async fn a_conversation_is_signed_and_answered() {
    let business = Business::open(SimulatedChannel::Tiktok).await;
    let written = business
        .write(&leo(), CustomerWrites::text("¿Envían a Cusco?"))
        .await;
    let received = business.received().await.remove(0);
    let signature = received.headers["tiktok-signature"].to_str().unwrap();
    let expected = hmac(
        &business.account.app_secret,
        &[b"1795000000.", &received.bytes],
    );
    assert_eq!(signature, format!("t=1795000000,s={expected}"));
    assert_eq!(received.body["event"], "im_receive_msg");
    assert_eq!(received.body["user_openid"], business.account.account_id);
    let said = content(&received.body);
    assert_eq!(said["message_id"], written.message_id);
    assert_eq!(said["from_user"]["id"], "open-id-of-leo");
    assert_eq!(said["to_user"]["id"], business.account.account_id);
    assert_eq!(said["type"], "text");
    assert_eq!(said["text"]["body"], "¿Envían a Cusco?");

    let body = text(&business, &said["conversation_id"], "Sí");
    let (status, answer) = send(&business, &business.account.token, SEND, &body).await;
    assert_eq!(
        (status, answer["code"].as_i64(), answer["message"].as_str()),
        (200, Some(0), Some("OK"))
    );
    let id = answer["data"]["message"]["message_id"].as_str().unwrap();
    let echo = business.bodies().await.remove(0);
    assert_eq!(echo["event"], "im_send_msg");
    assert_eq!(content(&echo)["message_id"], id);
    assert_eq!(content(&echo)["message_tag"]["source"], "API");

    let account = &business.account.account_id;
    business
        .simulator
        .report(account, id, MessageState::Read, None)
        .unwrap();
    let read = business.bodies().await.remove(0);
    assert_eq!(read["event"], "im_mark_read_msg");
    assert_eq!(
        content(&read)["read"]["last_read_timestamp"],
        1_795_000_000_000_i64
    );
    business
        .simulator
        .echo(account, &leo(), "Yo sigo", None)
        .await
        .unwrap();
    let echo = business.bodies().await.remove(0);
    assert_eq!(content(&echo)["message_tag"]["source"], "APP");
}

#[tokio::test]
async fn every_limit_is_kept() {
    let business = Business::open(SimulatedChannel::Tiktok).await;
    business.write(&leo(), CustomerWrites::text("hola")).await;
    let conversation = content(&business.bodies().await[0])["conversation_id"].clone();
    let right = text(&business, &conversation, "hola");
    let changed = |key: &str, value: Value| {
        let mut body = right.clone();
        body[key] = value;
        body
    };
    let token = business.account.token.clone();
    for (what, body, token, expected) in [
        ("right", right.clone(), token.as_str(), 0),
        (
            "the longest",
            text(&business, &conversation, &"ñ".repeat(6000)),
            &token,
            0,
        ),
        (
            "too long",
            text(&business, &conversation, &"ñ".repeat(6001)),
            &token,
            40_002,
        ),
        ("empty", text(&business, &conversation, ""), &token, 40_002),
        ("a wrong token", right.clone(), "wrong", 40_105),
        (
            "another account",
            changed("business_id", "7".into()),
            &token,
            40_001,
        ),
        (
            "no account",
            changed("business_id", Value::Null),
            &token,
            40_002,
        ),
        (
            "to a person",
            changed("recipient_type", "USER".into()),
            &token,
            40_002,
        ),
        (
            "to nobody",
            changed("recipient", "none".into()),
            &token,
            40_002,
        ),
        (
            "an image",
            changed("message_type", "IMAGE".into()),
            &token,
            40_002,
        ),
    ] {
        let (status, answer) = send(&business, token, SEND, &body).await;
        assert_eq!(status, 200, "TikTok says everything with it");
        assert_eq!(answer["code"], expected, "{what}: {answer}");
        assert!(answer["request_id"].is_string());
    }
    let request = business.http.post(business.url(SEND)).json(&right);
    assert_eq!(told(request.send().await.unwrap()).await.1["code"], 40_104);
    let (_, answer) = send(
        &business,
        &token,
        "open_api/v1.3/business/message/send",
        &right,
    )
    .await;
    assert_eq!(answer["code"], 40_006, "the slash at the end belongs to it");
    let action = json!({
        "business_id": business.account.account_id, "recipient_type": "CONVERSATION",
        "recipient": conversation, "message_type": "SENDER_ACTION", "sender_action": "TYPING",
    });
    assert_eq!(send(&business, &token, SEND, &action).await.1["code"], 0);
    let signals = business.simulator.signals(&business.account.account_id);
    assert_eq!(signals[0].kind, SignalKind::Typing);
    assert_eq!(
        business.simulator.sent(&business.account.account_id).len(),
        2
    );

    let failure = SimulatedFailure::by_code(SimulatedChannel::Tiktok, 40_100).unwrap();
    business
        .simulator
        .fail_next(&business.account.account_id, failure, 1);
    assert_eq!(
        send(&business, &token, SEND, &right).await.1["code"],
        40_100
    );
}

#[tokio::test]
async fn a_file_is_asked_for_and_fetched_with_the_token() {
    let business = Business::open(SimulatedChannel::Tiktok).await;
    business
        .write(
            &leo(),
            CustomerWrites::image(*b"\xff\xd8", "image/jpeg", None),
        )
        .await;
    let said = content(&business.bodies().await[0]);
    let mut body = json!({
        "business_id": business.account.account_id, "conversation_id": said["conversation_id"],
        "message_id": said["message_id"], "media_id": said["image"]["media_id"], "media_type": "IMAGE",
    });
    let path = "open_api/v1.3/business/message/media/download/";
    let token = business.account.token.clone();
    let (_, answer) = send(&business, &token, path, &body).await;
    let url = answer["data"]["download_url"].as_str().unwrap().to_owned();
    assert_eq!(
        business
            .http
            .get(&url)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16(),
        401
    );
    let response = business
        .http
        .get(&url)
        .header("x-user", &token)
        .send()
        .await
        .unwrap();
    assert_eq!(response.bytes().await.unwrap().as_ref(), b"\xff\xd8");
    body["media_type"] = "VIDEO".into();
    assert_eq!(send(&business, &token, path, &body).await.1["code"], 40_002);

    let id = &business.account.account_id;
    for content in [
        CustomerWrites::voice(*b"OggS"),
        CustomerWrites::tap("x"),
        CustomerWrites::Deleted {
            message_id: "x".to_owned(),
        },
    ] {
        assert!(business.simulator.write(id, &leo(), content).await.is_err());
    }
}
