//! What WhatsApp delivers to a business.

use crate::business::{Business, hmac, rosa};
use quipu_simulator::{
    CustomerFile, CustomerFileKind, CustomerWrites, MessageAuthor, SimulatedAccount,
    SimulatedChannel,
};
use serde_json::{Value, json};

fn value(body: &Value) -> &Value {
    &body["entry"][0]["changes"][0]["value"]
}

async fn delivered(business: &Business, content: CustomerWrites) -> Value {
    business.write(&rosa(), content).await;
    let [body] = &business.bodies().await[..] else {
        panic!("one delivery arrived");
    };
    value(body)["messages"][0].clone()
}

#[tokio::test]
async fn a_message_of_a_customer_is_signed() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let delivered = business
        .write(&rosa(), CustomerWrites::text("¿A qué hora abren? 😀"))
        .await;
    assert_eq!(delivered.status, 200);
    let [received] = &business.received().await[..] else {
        panic!("one delivery arrived");
    };
    let signature = received.headers["x-hub-signature-256"].to_str().unwrap();
    let expected = hmac(&business.account.app_secret, &[&received.bytes]);
    assert_eq!(signature, format!("sha256={expected}"));
    assert!(received.bytes.is_ascii(), "escaped as Meta does");

    let body = &received.body;
    assert_eq!(body["object"], "whatsapp_business_account");
    assert_eq!(body["entry"][0]["id"], "9106540352242922");
    assert_eq!(body["entry"][0]["changes"][0]["field"], "messages");
    let value = value(body);
    assert_eq!(value["metadata"]["phone_number_id"], "106540352242922");
    assert_eq!(value["contacts"][0]["profile"]["name"], "Rosa Ñáñez");
    assert_eq!(value["contacts"][0]["wa_id"], "51987654321");
    let message = &value["messages"][0];
    assert_eq!(message["id"], delivered.message_id);
    assert_eq!(message["from"], "51987654321");
    assert_eq!(message["timestamp"], "1795000000");
    assert_eq!(message["text"]["body"], "¿A qué hora abren? 😀");
    let user_id = message["from_user_id"].as_str().unwrap();
    assert!(user_id.starts_with("PE.") && user_id[3..].chars().all(|c| c.is_ascii_digit()));
    assert_eq!(value["contacts"][0]["user_id"], user_id);
}

#[tokio::test]
async fn a_hidden_number_is_nowhere() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business
        .write(&rosa().hidden(), CustomerWrites::text("hola"))
        .await;
    let received = business.received().await.remove(0);
    assert!(
        !String::from_utf8(received.bytes)
            .unwrap()
            .contains("51987654321")
    );
    assert!(value(&received.body)["messages"][0]["from_user_id"].is_string());
}

#[tokio::test]
async fn what_was_offered_comes_back_when_it_is_tapped() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let offers = [
        json!({ "type": "button", "body": { "text": "¿Cuándo?" }, "action": { "buttons": [
            { "type": "reply", "reply": { "id": "today", "title": "Hoy" } },
            { "type": "reply", "reply": { "id": "later", "title": "Mañana" } },
        ] } }),
        json!({ "type": "list", "body": { "text": "¿Qué?" }, "action": { "button": "Ver", "sections": [
            { "rows": [{ "id": "cut", "title": "Corte", "description": "30 minutos" }] },
        ] } }),
    ];
    let mut ids = Vec::new();
    for offer in offers {
        let body = json!({
            "messaging_product": "whatsapp", "to": "51987654321", "type": "interactive",
            "interactive": offer,
        });
        let (status, answer) = business.send(&body).await;
        assert_eq!(status, 200, "{answer}");
        ids.push(answer["messages"][0]["id"].clone());
    }
    let template = json!({
        "messaging_product": "whatsapp", "to": "51987654321", "type": "template",
        "template": { "name": "recordatorio_de_cita", "language": { "code": "es" }, "components": [
            { "type": "body", "parameters": [{ "type": "text", "text": "Rosa" }, { "type": "text", "text": "lunes" }] },
            { "type": "button", "sub_type": "quick_reply", "index": "0",
              "parameters": [{ "type": "payload", "payload": "confirm:7" }] },
        ] },
    });
    assert_eq!(business.send(&template).await.0, 200);
    let sent = business
        .simulator
        .sent(&business.account.account_id)
        .pop()
        .unwrap();
    assert_eq!(
        sent.text.as_deref(),
        Some("Hola Rosa, te recordamos tu cita del lunes.")
    );
    business.received().await;

    let tapped = delivered(&business, CustomerWrites::tap("later")).await;
    assert_eq!(
        tapped["interactive"]["button_reply"],
        json!({ "id": "later", "title": "Mañana" })
    );
    assert_eq!(tapped["interactive"]["type"], "button_reply");
    assert_eq!(tapped["context"]["id"], ids[0]);
    let tapped = delivered(&business, CustomerWrites::tap("cut")).await;
    let row = json!({ "id": "cut", "title": "Corte", "description": "30 minutos" });
    assert_eq!(tapped["interactive"]["list_reply"], row);
    assert_eq!(tapped["context"]["id"], ids[1]);
    let tapped = delivered(&business, CustomerWrites::tap("confirm:7")).await;
    assert_eq!(tapped["type"], "button");
    assert_eq!(
        tapped["button"],
        json!({ "payload": "confirm:7", "text": "Confirmar" })
    );

    let id = &business.account.account_id;
    let nothing = business
        .simulator
        .write(id, &rosa(), CustomerWrites::tap("never"))
        .await;
    assert!(nothing.is_err());
    let known = CustomerWrites::Choice {
        id: "later".to_owned(),
        message_id: Some(ids[1].as_str().unwrap().to_owned()),
    };
    assert!(business.simulator.write(id, &rosa(), known).await.is_err());
}

#[tokio::test]
async fn a_file_lies_behind_its_id_and_the_token() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let image = CustomerWrites::image(*b"\x89PNG", "image/png", Some("mi diente"));
    let message = delivered(&business, image).await;
    assert_eq!(message["type"], "image");
    assert_eq!(message["image"]["caption"], "mi diente");
    let id = message["image"]["id"].as_str().unwrap();
    let (status, node) = business.graph(&format!("v26.0/{id}")).await;
    assert_eq!(status, 200);
    assert_eq!(node["mime_type"], "image/png");
    assert_eq!(node["file_size"], 4);
    assert_eq!(node["url"], message["image"]["url"]);
    let url = node["url"].as_str().unwrap();
    assert_eq!(
        business
            .http
            .get(url)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16(),
        401
    );
    let request = business.http.get(url).bearer_auth("token-of-another");
    assert_eq!(request.send().await.unwrap().status().as_u16(), 401);
    let response = business
        .http
        .get(url)
        .bearer_auth(&business.account.token)
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "image/png");
    assert_eq!(response.bytes().await.unwrap().as_ref(), b"\x89PNG");

    let message = delivered(&business, CustomerWrites::voice(*b"OggS")).await;
    assert_eq!(message["type"], "audio");
    assert_eq!(message["audio"]["voice"], true);
    let document = CustomerWrites::File {
        kind: CustomerFileKind::Document,
        file: CustomerFile {
            bytes: b"%PDF".to_vec(),
            mime_type: "application/pdf".to_owned(),
            filename: Some("receta.pdf".to_owned()),
        },
        caption: None,
    };
    let message = delivered(&business, document).await;
    assert_eq!(message["document"]["filename"], "receta.pdf");

    let other = SimulatedAccount::new(SimulatedChannel::Whatsapp, "2", "http://localhost");
    business.simulator.connect(other.clone());
    let request = business
        .http
        .get(business.url(&format!("v26.0/{id}")))
        .bearer_auth(other.token);
    assert_eq!(
        request.send().await.unwrap().status().as_u16(),
        400,
        "not another account's"
    );
}

#[tokio::test]
async fn places_reactions_and_changes_are_told() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let first = business.greeted_by(&rosa()).await;
    let place = CustomerWrites::Location {
        latitude: -12.05,
        longitude: -77.04,
        name: Some("Plaza".to_owned()),
        address: None,
    };
    let message = delivered(&business, place).await;
    assert_eq!(
        message["location"],
        json!({ "latitude": -12.05, "longitude": -77.04, "name": "Plaza" })
    );
    let message_id = first.clone();
    let reaction = CustomerWrites::Reaction {
        emoji: Some("👍".to_owned()),
        message_id,
    };
    let message = delivered(&business, reaction).await;
    assert_eq!(
        message["reaction"],
        json!({ "message_id": first, "emoji": "👍" })
    );
    let edit = CustomerWrites::Edited {
        message_id: first.clone(),
        text: "buenas".to_owned(),
    };
    let message = delivered(&business, edit).await;
    assert_eq!(message["type"], "edit");
    assert_eq!(message["edit"]["original_message_id"], first);
    assert_eq!(message["edit"]["message"]["text"]["body"], "buenas");
    let message = delivered(
        &business,
        CustomerWrites::Deleted {
            message_id: first.clone(),
        },
    )
    .await;
    assert_eq!(message["revoke"]["original_message_id"], first);
    let message = delivered(&business, CustomerWrites::Unsupported).await;
    assert_eq!(message["type"], "unsupported");
    assert_eq!(message["errors"][0]["code"], 131_051);

    let messages = business.simulator.messages(&business.account.account_id);
    let changed = messages.iter().find(|message| message.id == first).unwrap();
    assert!(changed.edited && changed.deleted && changed.text.is_none());
    assert_eq!(changed.reaction.as_deref(), Some("👍"));
    let none = CustomerWrites::Deleted {
        message_id: "wamid.none".to_owned(),
    };
    let id = &business.account.account_id;
    assert!(business.simulator.write(id, &rosa(), none).await.is_err());
}

#[tokio::test]
async fn the_owner_writes_from_their_own_phone() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let id = &business.account.account_id;
    let echo = business
        .simulator
        .echo(id, &rosa(), "Yo le atiendo", None)
        .await
        .unwrap();
    let [body] = &business.bodies().await[..] else {
        panic!("one delivery arrived");
    };
    assert_eq!(
        body["entry"][0]["changes"][0]["field"],
        "smb_message_echoes"
    );
    let told = &value(body)["message_echoes"][0];
    assert_eq!(told["id"], echo.message_id);
    assert_eq!(told["to"], "51987654321");
    assert_eq!(told["from"], "51900000001");
    assert_eq!(told["text"]["body"], "Yo le atiendo");
    assert!(
        business.simulator.sent(id).is_empty(),
        "the program sent nothing"
    );
    let messages = business.simulator.messages(id);
    assert_eq!(messages.last().unwrap().author, MessageAuthor::Owner);
}

#[tokio::test]
async fn the_same_may_be_delivered_twice() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let first = business.write(&rosa(), CustomerWrites::text("hola")).await;
    let again = business
        .simulator
        .repeat(&business.account.account_id, &first.message_id)
        .await;
    assert_eq!(again.unwrap(), first);
    let bodies = business.bodies().await;
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], bodies[1]);
}

#[tokio::test]
async fn a_business_that_is_not_there_is_no_secret() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.answers(401, "");
    let refused = business.write(&rosa(), CustomerWrites::text("hola")).await;
    assert_eq!(refused.status, 401);
    let mut account = business.account.clone();
    account.webhook_url = "http://127.0.0.1:1/hidden-path".to_owned();
    business.simulator.connect(account);
    let id = &business.account.account_id;
    let error = business
        .simulator
        .write(id, &rosa(), CustomerWrites::text("hola"))
        .await
        .unwrap_err();
    assert_eq!(error, "the webhook could not be reached");
}

#[tokio::test]
async fn what_was_written_is_told_late_in_any_order_and_twice() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let prepare = |text: &str| {
        let account = &business.account.account_id;
        let content = CustomerWrites::text(text);
        business.simulator.prepare(account, &rosa(), content)
    };
    let first = prepare("hola").unwrap();
    let second = prepare("¿abren hoy?").unwrap();
    assert!(business.bodies().await.is_empty(), "nobody was told yet");
    for prepared in [&second, &first, &second] {
        let delivered = business.simulator.deliver(prepared).await.unwrap();
        assert_eq!(delivered.message_id, prepared.message_id());
    }
    let bodies = business.bodies().await;
    let told = bodies.iter().map(|body| &value(body)["messages"][0]["id"]);
    let order = [&second, &first, &second].map(|prepared| json!(prepared.message_id()));
    assert_eq!(told.cloned().collect::<Vec<_>>(), order);
}

#[tokio::test]
async fn whoever_follows_hears_what_is_sent() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let mut heard = business.simulator.follow_sent();
    business.greeted_by(&rosa()).await;
    let text = json!({
        "messaging_product": "whatsapp", "to": "51987654321", "type": "text", "text": { "body": "¡Hola!" },
        "biz_opaque_callback_data": "answer-1",
    });
    let (_, answer) = business.send(&text).await;
    let message = heard.recv().await.unwrap();
    assert_eq!(answer["messages"][0]["id"], message.id.as_str());
    assert_eq!(message.reference.as_deref(), Some("answer-1"));
    assert!(
        heard.try_recv().is_err(),
        "what the customer wrote is not among it"
    );
}
