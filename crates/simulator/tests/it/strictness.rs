//! What WhatsApp refuses, and with which code.

use crate::business::{Business, code, hmac, rosa, told};
use quipu_simulator::{SimulatedAccount, SimulatedChannel};
use serde_json::{Value, json};

fn message(kind: &str, content: &Value) -> Value {
    json!({ "messaging_product": "whatsapp", "to": "51987654321", "type": kind, kind: content })
}

fn buttons(buttons: &[(&str, &str)]) -> Value {
    let buttons: Vec<Value> = buttons
        .iter()
        .map(|(id, title)| json!({ "type": "reply", "reply": { "id": id, "title": title } }))
        .collect();
    let interactive = json!({
        "type": "button", "body": { "text": "¿Cuál?" }, "action": { "buttons": buttons },
    });
    message("interactive", &interactive)
}

fn list(button: &str, sections: &Value) -> Value {
    let interactive = json!({
        "type": "list", "body": { "text": "¿Cuál?" }, "action": { "button": button, "sections": sections },
    });
    message("interactive", &interactive)
}

fn template(name: &str, language: &str, values: &[&str]) -> Value {
    let parameters: Vec<Value> = values
        .iter()
        .map(|value| json!({ "type": "text", "text": value }))
        .collect();
    let template = json!({
        "name": name, "language": { "code": language },
        "components": [{ "type": "body", "parameters": parameters }],
    });
    message("template", &template)
}

fn rows(count: usize) -> Value {
    let rows = (0..count).map(|n| json!({ "id": n.to_string(), "title": format!("Fila {n}") }));
    json!([{ "rows": rows.collect::<Vec<_>>() }])
}

fn row(row: &Value) -> Value {
    list("Ver", &json!([{ "rows": [row] }]))
}

fn changed(mut body: Value, key: &str, value: Value) -> Value {
    body[key] = value;
    body
}

async fn expect(business: &Business, cases: Vec<(&str, Value, i64)>) {
    for (what, body, expected) in cases {
        let answer = business.send(&body).await;
        assert_eq!(code(&answer), expected, "{what}: {answer:?}");
        assert_eq!(answer.0 == 200, expected == 0, "{what}: {answer:?}");
        if expected != 0 {
            assert!(answer.1["error"]["fbtrace_id"].is_string());
            assert!(!answer.1["error"]["message"].as_str().unwrap().is_empty());
        }
    }
}

#[tokio::test]
async fn every_limit_of_a_text_is_kept() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let text = |length: usize| message("text", &json!({ "body": "ñ".repeat(length) }));
    let mut both = text(1);
    both["recipient"] = "PE.1".into();
    let mut nobody = text(1);
    nobody.as_object_mut().unwrap().remove("to");
    let mut unnamed = text(1);
    unnamed.as_object_mut().unwrap().remove("messaging_product");
    expect(
        &business,
        vec![
            ("the longest", text(4096), 0),
            ("too long", text(4097), 100),
            ("empty", text(0), 131_008),
            ("no text", message("text", &json!({})), 131_008),
            ("a number", message("text", &json!({ "body": 7 })), 100),
            (
                "no content",
                changed(text(1), "type", "image".into()),
                131_008,
            ),
            (
                "unknown kind",
                message("poem", &json!({ "body": "x" })),
                100,
            ),
            ("no object", json!([]), 100),
            ("to and recipient", both, 100),
            ("nobody", nobody, 131_008),
            ("no number", changed(text(1), "to", "Rosa".into()), 131_009),
            (
                "itself",
                changed(text(1), "to", "51900000001".into()),
                131_021,
            ),
            (
                "a group",
                changed(text(1), "recipient_type", "group".into()),
                131_009,
            ),
            ("no product", unnamed, 100),
            (
                "another product",
                changed(text(1), "messaging_product", "signal".into()),
                100,
            ),
            (
                "a long reference",
                changed(text(1), "biz_opaque_callback_data", "x".repeat(513).into()),
                100,
            ),
            (
                "a reference",
                changed(text(1), "biz_opaque_callback_data", "x".repeat(512).into()),
                0,
            ),
            (
                "an empty context",
                changed(text(1), "context", json!({})),
                131_008,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn every_limit_of_buttons_and_lists_is_kept() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let (title, long) = ("t".repeat(20), "t".repeat(21));
    let four = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "d")];
    let mut long_body = buttons(&[("1", "a")]);
    long_body["interactive"]["body"]["text"] = "x".repeat(1025).into();
    let mut no_body = buttons(&[("1", "a")]);
    no_body["interactive"]
        .as_object_mut()
        .unwrap()
        .remove("body");
    let mut long_list = list("Ver", &rows(1));
    long_list["interactive"]["body"]["text"] = "x".repeat(4096).into();
    let two = json!([
        { "title": "A", "rows": [{ "id": "1", "title": "a" }] },
        { "rows": [{ "id": "2", "title": "b" }] },
    ]);
    let same = json!([{ "rows": [{ "id": "1", "title": "a" }, { "id": "1", "title": "b" }] }]);
    let described =
        |length: usize| row(&json!({ "id": "1", "title": "a", "description": "x".repeat(length) }));
    expect(
        &business,
        vec![
            ("three", buttons(&four[..3]), 0),
            ("four", buttons(&four), 131_009),
            ("none", buttons(&[]), 131_009),
            ("the longest title", buttons(&[("1", &title)]), 0),
            ("a long title", buttons(&[("1", &long)]), 131_009),
            ("no title", buttons(&[("1", "")]), 131_009),
            ("no id", buttons(&[("", "a")]), 131_009),
            ("one id twice", buttons(&[("1", "a"), ("1", "b")]), 131_009),
            (
                "one title twice",
                buttons(&[("1", "a"), ("2", "a")]),
                131_009,
            ),
            ("a long body", long_body, 100),
            ("no body", no_body, 131_008),
            ("ten rows", list("Ver", &rows(10)), 0),
            ("eleven rows", list("Ver", &rows(11)), 131_009),
            ("no rows", list("Ver", &rows(0)), 131_009),
            ("no sections", list("Ver", &json!([])), 131_009),
            ("a long button", list(&long, &rows(1)), 131_009),
            ("no button", list("", &rows(1)), 131_009),
            ("a long list", long_list, 0),
            ("a section without a title", list("Ver", &two), 131_009),
            ("one row twice", list("Ver", &same), 131_009),
            (
                "a long row",
                row(&json!({ "id": "1", "title": "t".repeat(25) })),
                131_009,
            ),
            (
                "the longest row",
                row(&json!({ "id": "1", "title": "t".repeat(24) })),
                0,
            ),
            (
                "a long row id",
                row(&json!({ "id": "1".repeat(201), "title": "t" })),
                131_009,
            ),
            ("the longest description", described(72), 0),
            ("a long description", described(73), 131_009),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_template_is_one_that_was_approved() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let name = "recordatorio_de_cita";
    let mut button = template(name, "es", &["Rosa", "lunes"]);
    let tap = json!({
        "type": "button", "sub_type": "quick_reply", "index": "2",
        "parameters": [{ "type": "payload", "payload": "x" }],
    });
    let components = button["template"]["components"].as_array_mut();
    components.unwrap().push(tap);
    let mut image = template(name, "es", &["Rosa", "lunes"]);
    image["template"]["components"][0]["parameters"][0] = json!({ "type": "currency" });
    expect(
        &business,
        vec![
            ("right", template(name, "es", &["Rosa", "lunes"]), 0),
            ("too few", template(name, "es", &["Rosa"]), 132_000),
            (
                "too many",
                template(name, "es", &["Rosa", "lunes", "9"]),
                132_000,
            ),
            (
                "another language",
                template(name, "es_MX", &["Rosa", "lunes"]),
                132_001,
            ),
            ("unknown", template("nada", "es", &[]), 132_001),
            (
                "paused",
                template("aviso_en_pausa", "es", &["Rosa"]),
                132_015,
            ),
            (
                "lines",
                template(name, "es", &["Rosa", "lunes\n9"]),
                132_018,
            ),
            ("empty", template(name, "es", &["Rosa", ""]), 131_008),
            (
                "too long",
                template(name, "es", &["Rosa", &"x".repeat(1024)]),
                132_005,
            ),
            ("another button", button, 132_000),
            ("another kind", image, 132_012),
        ],
    )
    .await;
    let sent = business.simulator.sent(&business.account.account_id);
    assert_eq!(sent.len(), 1, "what is refused is not sent");
    assert_eq!(sent[0].template.as_deref(), Some(name));
}

#[tokio::test]
async fn a_file_lies_at_an_address() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let link = "https://example.com/a.png";
    expect(
        &business,
        vec![
            (
                "image",
                message(
                    "image",
                    &json!({ "link": link, "caption": "x".repeat(1024) }),
                ),
                0,
            ),
            (
                "long caption",
                message(
                    "image",
                    &json!({ "link": link, "caption": "x".repeat(1025) }),
                ),
                100,
            ),
            (
                "audio with caption",
                message("audio", &json!({ "link": link, "caption": "x" })),
                100,
            ),
            (
                "document",
                message("document", &json!({ "link": link, "filename": "a.pdf" })),
                0,
            ),
            (
                "image with name",
                message("image", &json!({ "link": link, "filename": "a.png" })),
                100,
            ),
            ("no address", message("image", &json!({})), 131_008),
            (
                "a wrong address",
                message("image", &json!({ "link": "file:///etc/passwd" })),
                100,
            ),
            (
                "an unknown id",
                message("image", &json!({ "id": "7" })),
                131_009,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn nobody_speaks_for_an_account_without_its_token() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business.greeted_by(&rosa()).await;
    let other = SimulatedAccount::new(SimulatedChannel::Whatsapp, "2", "http://localhost");
    business.simulator.connect(other.clone());
    let id = &business.account.account_id;
    let body = message("text", &json!({ "body": "hola" }));
    let path = format!("v26.0/{id}/messages");
    let send = async |path: &str, token: &str| {
        let request = business.http.post(business.url(path)).bearer_auth(token);
        told(request.json(&body).send().await.unwrap()).await
    };
    let answer = send(&path, "wrong").await;
    assert_eq!((answer.0, code(&answer)), (401, 190));
    let answer = told(
        business
            .http
            .post(business.url(&path))
            .json(&body)
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!((answer.0, code(&answer)), (401, 190));
    let answer = send(&path, &other.token).await;
    assert_eq!((answer.0, code(&answer)), (400, 100));
    assert_eq!(answer.1["error"]["error_subcode"], 33);
    assert_eq!(
        code(&send("v99.0/1/messages", &business.account.token).await),
        2500
    );
    assert_eq!(code(&send("v26.0", &business.account.token).await), 2500);

    let account = &business.account;
    let proof = hmac(&account.app_secret, &[account.token.as_bytes()]);
    assert_eq!(
        send(&format!("{path}?appsecret_proof={proof}"), &account.token)
            .await
            .0,
        200
    );
    let answer = send(&format!("{path}?appsecret_proof=00"), &account.token).await;
    assert_eq!((answer.0, code(&answer)), (400, 100));
    assert_eq!(answer.1["error"]["type"], "GraphMethodException");
    assert_eq!(business.simulator.sent(id).len(), 1);
}

#[tokio::test]
async fn graph_tells_of_numbers_templates_and_programs() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let id = business.account.account_id.clone();
    let (_, number) = business
        .graph(&format!(
            "v26.0/{id}?fields=display_phone_number,quality_rating"
        ))
        .await;
    assert_eq!(
        number,
        json!({ "id": id, "display_phone_number": "+51900000001", "quality_rating": "GREEN" })
    );
    let answer = business.graph(&format!("v26.0/{id}?fields=colour")).await;
    assert_eq!(code(&answer), 100);
    let waba = business.account.parent_id.clone().unwrap();
    assert_eq!(
        business.graph(&format!("v26.0/{waba}")).await.1["name"],
        "Negocio de prueba"
    );
    let (_, numbers) = business.graph(&format!("v26.0/{waba}/phone_numbers")).await;
    assert_eq!(numbers["data"][0]["id"], id);

    let (_, first) = business
        .graph(&format!("v26.0/{waba}/message_templates?limit=3"))
        .await;
    assert_eq!(first["data"].as_array().unwrap().len(), 3);
    assert_eq!(first["data"][0]["components"][0]["type"], "BODY");
    assert_eq!(
        first["data"][0]["components"][1]["buttons"][1]["text"],
        "Cambiar"
    );
    let after = first["paging"]["cursors"]["after"].as_str().unwrap();
    assert!(first["paging"]["next"].is_string());
    let path = format!("v26.0/{waba}/message_templates?limit=3&after={after}");
    let (_, second) = business.graph(&path).await;
    assert_eq!(second["data"].as_array().unwrap().len(), 1);
    assert!(second["paging"].get("next").is_none());
    let path = format!("v26.0/{waba}/message_templates?summary=total_count&status=PAUSED,REJECTED");
    let (_, summed) = business.graph(&path).await;
    assert_eq!(summed["summary"]["total_count"], 1);
    let (_, empty) = business
        .graph(&format!("v26.0/{id}?fields=health_status"))
        .await;
    assert_eq!(empty, json!({ "id": id }), "documented, and empty here");
    let (_, paused) = business
        .graph(&format!("v26.0/{waba}/message_templates?status=PAUSED"))
        .await;
    assert_eq!(paused["data"][0]["name"], "aviso_en_pausa");

    let apps = format!("v26.0/{waba}/subscribed_apps");
    let count = async || {
        business.graph(&apps).await.1["data"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(count().await, 1);
    let token = &business.account.token;
    business
        .http
        .delete(business.url(&apps))
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    assert_eq!(count().await, 0);
    business
        .http
        .post(business.url(&apps))
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    assert_eq!(count().await, 1);
    assert_eq!(code(&business.graph("v26.0/404").await), 100);
}
