//! The stand-ins, controlled over HTTP, and the page that does so.

use crate::business::{Business, told};
use quipu_simulator::{CustomerWrites, MessageState, SimulatedChannel, SimulatedCustomer};
use reqwest::Method;
use serde_json::{Value, json};

async fn ask(business: &Business, method: Method, path: &str, body: Value) -> (u16, Value) {
    let url = business.url(&format!("simulator/api/{path}"));
    let request = business.http.request(method, url);
    let request = if body.is_null() {
        request
    } else {
        request.json(&body)
    };
    told(request.send().await.unwrap()).await
}

fn own(business: &Business, path: &str) -> String {
    format!("accounts/{}/{path}", business.account.account_id)
}

#[tokio::test]
async fn accounts_are_connected_and_verified() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let (_, told) = ask(&business, Method::GET, "accounts", Value::Null).await;
    assert_eq!(told["url"], business.simulator.url());
    assert_eq!(
        told["accounts"][0]["account"]["account_id"],
        business.account.account_id
    );

    let right = json!({
        "channel": "messenger", "account_id": "77", "token": "t", "app_secret": "s",
        "verify_token": business.account.verify_token, "webhook_url": business.account.webhook_url,
    });
    assert_eq!(
        ask(&business, Method::POST, "accounts", right.clone())
            .await
            .0,
        200
    );
    for (key, value) in [
        ("webhook_url", "ftp://localhost"),
        ("webhook_url", "nowhere"),
        ("account_id", ""),
        ("account_id", "../1"),
        ("token", ""),
        ("channel", "pigeon"),
    ] {
        let mut wrong = right.clone();
        wrong[key] = value.into();
        let (status, answer) = ask(&business, Method::POST, "accounts", wrong).await;
        assert!((400..500).contains(&status), "{key} {value}");
        assert!(answer["error"]["message"].is_string());
    }
    let (_, answer) = ask(&business, Method::POST, "accounts/77/verify", Value::Null).await;
    assert_eq!(answer["right"], true);
    let mut mistaken = right;
    mistaken["verify_token"] = "another".into();
    ask(&business, Method::POST, "accounts", mistaken).await;
    let (_, answer) = ask(&business, Method::POST, "accounts/77/verify", Value::Null).await;
    assert_eq!(answer["right"], false);
    assert_eq!(
        ask(&business, Method::POST, "accounts/none/verify", Value::Null)
            .await
            .0,
        404
    );
}

#[tokio::test]
async fn a_conversation_is_written_and_looked_at() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let customer = json!({ "id": "51987654321", "name": "Rosa" });
    let path = own(&business, "messages");
    let body = json!({ "customer": customer, "kind": "text", "text": "hola" });
    let (status, first) = ask(&business, Method::POST, &path, body).await;
    assert_eq!((status, first["status"].as_u64()), (200, Some(200)));
    let typing = json!({
        "messaging_product": "whatsapp", "status": "read", "message_id": first["message_id"],
        "typing_indicator": { "type": "text" },
    });
    business.send(&typing).await;
    let looked = format!("{path}?customer=51987654321");
    let (_, shown) = ask(&business, Method::GET, &looked, Value::Null).await;
    assert_eq!(shown["typing"], true);
    assert_eq!(shown["messages"][0]["state"], "read");
    assert_eq!(shown["customers"][0]["window_open"], true);
    let known = format!("{looked}&known={}", shown["version"]);
    let (_, same) = ask(&business, Method::GET, &known, Value::Null).await;
    assert!(same.get("messages").is_none(), "nothing is new");

    let forward = json!({ "forward_seconds": 90_000 });
    assert_eq!(
        ask(&business, Method::POST, "clock", forward).await.1["now"],
        1_795_090_000_000_i64
    );
    let (_, shown) = ask(&business, Method::GET, &known, Value::Null).await;
    assert_eq!(shown["customers"][0]["window_open"], false);
    assert_eq!(shown["typing"], false);

    let echo = json!({ "customer": customer, "text": "Yo sigo" });
    assert_eq!(
        ask(&business, Method::POST, &own(&business, "echo"), echo)
            .await
            .0,
        200
    );
    let repeat = json!({ "message_id": first["message_id"] });
    assert_eq!(
        ask(&business, Method::POST, &own(&business, "repeat"), repeat)
            .await
            .0,
        200
    );
    let place =
        json!({ "customer": customer, "kind": "location", "latitude": 91.0, "longitude": 0.0 });
    assert_eq!(ask(&business, Method::POST, &path, place).await.0, 400);
    let nobody =
        json!({ "customer": { "id": "Rosa", "name": "" }, "kind": "text", "text": "hola" });
    assert_eq!(ask(&business, Method::POST, &path, nobody).await.0, 400);
    let unknown = json!({ "customer": customer, "kind": "poem" });
    assert_eq!(ask(&business, Method::POST, &path, unknown).await.0, 422);
    assert_eq!(
        ask(
            &business,
            Method::GET,
            "accounts/none/messages",
            Value::Null
        )
        .await
        .0,
        404
    );
}

#[tokio::test]
async fn a_file_is_uploaded_and_sent() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let url = business.url(&format!(
        "simulator/api/{}",
        own(&business, "files?filename=foto.png")
    ));
    let upload = async |kind: Option<&str>, bytes: Vec<u8>| {
        let request = business.http.post(&url).body(bytes);
        let request = kind.iter().fold(request, |request, kind| {
            request.header("content-type", *kind)
        });
        told(request.send().await.unwrap()).await
    };
    let (_, file) = upload(Some("image/png"), b"\x89PNG".to_vec()).await;
    let customer = json!({ "id": "51987654321", "name": "Rosa" });
    let body = json!({ "customer": customer, "kind": "image", "file_id": file["file_id"], "caption": "foto" });
    let (status, _) = ask(&business, Method::POST, &own(&business, "messages"), body).await;
    assert_eq!(status, 200);
    let delivered = business.bodies().await.remove(0);
    let image = &delivered["entry"][0]["changes"][0]["value"]["messages"][0]["image"];
    assert_eq!(
        (image["mime_type"].as_str(), image["caption"].as_str()),
        (Some("image/png"), Some("foto"))
    );
    let shown = format!("simulator/api/files/{}", image["id"].as_str().unwrap());
    let response = business
        .http
        .get(business.url(&shown))
        .send()
        .await
        .unwrap();
    assert_eq!(
        response.headers()["content-security-policy"],
        "sandbox; default-src 'none'"
    );
    assert_eq!(response.bytes().await.unwrap().as_ref(), b"\x89PNG");

    assert_eq!(
        upload(Some("image/png"), vec![0; 5 * 1024 * 1024 + 1])
            .await
            .0,
        413
    );
    assert_eq!(
        upload(Some("image/png"), vec![0; 5 * 1024 * 1024]).await.0,
        200
    );
    assert_eq!(upload(Some("image/png"), Vec::new()).await.0, 400);
    assert_eq!(upload(None, b"x".to_vec()).await.0, 400);
    for file in [
        json!({ "data": "AAAA", "mime_type": "no kind" }),
        json!({ "data": "%%%" }),
        json!({ "file_id": "0" }),
        json!({}),
    ] {
        let mut body = json!({ "customer": customer, "kind": "voice" });
        body.as_object_mut()
            .unwrap()
            .extend(file.as_object().unwrap().clone());
        assert_eq!(
            ask(&business, Method::POST, &own(&business, "messages"), body)
                .await
                .0,
            400
        );
    }
    let voice = json!({ "customer": customer, "kind": "voice", "data": "T2dnUw==" });
    assert_eq!(
        ask(&business, Method::POST, &own(&business, "messages"), voice)
            .await
            .0,
        200
    );
}

#[tokio::test]
async fn failures_and_states_are_asked_for() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    business
        .simulator
        .write(
            &business.account.account_id,
            &SimulatedCustomer::new("51987654321", "Rosa"),
            CustomerWrites::text("hola"),
        )
        .await
        .unwrap();
    let (_, known) = ask(
        &business,
        Method::GET,
        &own(&business, "documented"),
        Value::Null,
    )
    .await;
    let codes: Vec<_> = known["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].clone())
        .collect();
    assert!(codes.contains(&json!(131_056)) && codes.contains(&json!(132_001)));
    let path = own(&business, "failures");
    let plan = json!({ "code": 131_056, "times": 2, "retry_after": 3 });
    let (_, planned) = ask(&business, Method::POST, &path, plan).await;
    assert_eq!(planned["failures_left"], 2);
    let (_, shown) = ask(
        &business,
        Method::GET,
        &own(&business, "messages"),
        Value::Null,
    )
    .await;
    assert_eq!(shown["failures_left"], 2);
    let text = json!({
        "messaging_product": "whatsapp", "to": "51987654321", "type": "text", "text": { "body": "hola" },
    });
    let (status, answer) = business.send(&text).await;
    assert_eq!(
        (status, answer["error"]["code"].as_i64()),
        (429, Some(131_056))
    );
    ask(&business, Method::DELETE, &path, Value::Null).await;
    let (_, answer) = business.send(&text).await;
    let id = answer["messages"][0]["id"].clone();
    assert_eq!(
        ask(
            &business,
            Method::POST,
            &path,
            json!({ "code": 1, "times": 0 })
        )
        .await
        .0,
        400
    );

    let path = own(&business, "statuses");
    let failed = json!({ "message_id": id, "status": "failed", "code": 131_026 });
    assert_eq!(ask(&business, Method::POST, &path, failed).await.0, 200);
    business.simulator.settle().await;
    let sent = business
        .simulator
        .sent(&business.account.account_id)
        .remove(0);
    assert_eq!(
        (sent.state, sent.failure_code),
        (MessageState::Failed, Some(131_026))
    );
    let odd = json!({ "message_id": id, "status": "lost" });
    assert_eq!(ask(&business, Method::POST, &path, odd).await.0, 400);

    let (_, seen) = ask(
        &business,
        Method::GET,
        &own(&business, "requests"),
        Value::Null,
    )
    .await;
    assert_eq!(seen["requests"][0]["body"], text, "the newest first");
    assert_eq!(seen["requests"][1]["status"], 429);
    assert_eq!(seen["deliveries"][0]["status"], 200);
    assert!(!seen.to_string().contains(&business.account.token));
}

#[tokio::test]
async fn calls_and_flows_are_played_over_http() {
    let business = Business::open(SimulatedChannel::Voice).await;
    business.answers(200, r#"{"error":"closed"}"#);
    let customer = json!({ "id": "51987654321", "name": "Rosa" });
    let ring = json!({ "customer": customer, "event": "assistant-request" });
    let (_, answer) = ask(&business, Method::POST, &own(&business, "calls"), ring).await;
    assert_eq!(answer["body"]["error"], "closed");
    let tool = json!({
        "customer": customer, "call_id": answer["call_id"], "event": "tool-calls",
        "calls": [{ "name": "book", "arguments": {} }],
    });
    assert_eq!(
        ask(&business, Method::POST, &own(&business, "calls"), tool)
            .await
            .0,
        200
    );
    let told = business.bodies().await;
    assert_eq!(
        told[0]["message"]["call"]["id"],
        told[1]["message"]["call"]["id"]
    );

    let slow = json!({ "status": 500, "body": { "message": "no" } });
    assert_eq!(
        ask(&business, Method::PUT, "accounts/flow/n8n", slow)
            .await
            .0,
        200
    );
    let response = business
        .http
        .post(business.url("n8n/flow"))
        .body("x")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status().as_u16(), 500);
    let (_, seen) = ask(&business, Method::GET, "accounts/flow/n8n", Value::Null).await;
    assert_eq!(seen["received"][0]["raw_body"], "x");
    ask(
        &business,
        Method::DELETE,
        "accounts/flow/n8n/answer",
        Value::Null,
    )
    .await;
    let response = business
        .http
        .post(business.url("n8n/flow"))
        .body("x")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status().as_u16(), 200);
}

#[tokio::test]
async fn only_its_own_page_and_programs_control_it() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let url = business.url("simulator/api/accounts");
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("host", "evil.example"),
    ] {
        let response = business
            .http
            .get(&url)
            .header(name, value)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 403, "{name}");
        assert!(
            response
                .headers()
                .get("access-control-allow-origin")
                .is_none()
        );
    }
    let simple = business
        .http
        .post(&url)
        .header("content-type", "text/plain")
        .body("{}");
    assert_eq!(simple.send().await.unwrap().status().as_u16(), 415);
    assert_eq!(
        ask(&business, Method::GET, "nothing", Value::Null).await.0,
        404
    );
}

#[tokio::test]
async fn the_page_is_there_and_runs_nothing_strange() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    for (path, kind) in [
        ("", "text/html"),
        ("app.js", "text/javascript"),
        ("phone.js", "text/javascript"),
        ("words.js", "text/javascript"),
        ("style.css", "text/css"),
    ] {
        let response = business.http.get(business.url(path)).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{path}");
        let text = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert!(text("content-type").starts_with(kind));
        assert!(text("content-security-policy").contains("script-src 'self'"));
        let content = response.text().await.unwrap();
        assert!(content.len() > 1000, "{path}");
        assert!(!content.contains("innerHTML"), "{path}");
    }
}
