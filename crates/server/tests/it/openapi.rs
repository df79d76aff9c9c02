//! What the API says of itself, and what it sends around every answer.

use crate::harness::{Client, Reply, TestApp, ask, make_agent, teach};
use quipu_testkit::{TestDatabase, db_test};
use reqwest::Method;
use serde_json::Value;

fn document() -> Value {
    serde_json::to_value(quipu_server::http::document()).unwrap()
}

/// Every operation with its method and path.
fn operations(document: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push((format!("{method} {path}"), operation.clone()));
        }
    }
    found
}

#[test]
fn the_document_changes_only_on_purpose() {
    insta::assert_json_snapshot!("openapi", document(), { ".info.version" => "[version]" });
}

#[test]
fn every_operation_is_described() {
    let document = document();
    let mut wrong = Vec::new();
    for (name, operation) in operations(&document) {
        let summary = operation["summary"].as_str().unwrap_or_default();
        if summary.is_empty() {
            wrong.push(format!("{name} has no summary"));
        }
        if operation["tags"]
            .as_array()
            .is_none_or(|tags| tags.len() != 1)
        {
            wrong.push(format!("{name} needs one tag"));
        }
        let responses = operation["responses"].as_object().unwrap();
        if !responses.keys().any(|status| status.starts_with('2')) {
            wrong.push(format!("{name} has no good answer"));
        }
        for (status, response) in responses {
            let refers_to_the_error = response.to_string().contains("/ErrorBody");
            if status.starts_with(['4', '5']) && !refers_to_the_error {
                wrong.push(format!("{name} {status} is not the one error shape"));
            }
        }
        match operation["security"].as_array() {
            None => wrong.push(format!("{name} says nothing of security")),
            Some(schemes) => {
                let public = schemes.is_empty();
                let asks = responses.contains_key("403");
                if public == asks {
                    wrong.push(format!("{name} is public: {public}, refuses: {asks}"));
                }
                for scheme in schemes {
                    for name in scheme.as_object().unwrap().keys() {
                        assert!(!document["components"]["securitySchemes"][name].is_null());
                    }
                    if scheme.as_object().unwrap().is_empty() {
                        wrong.push(format!("{name} has an empty scheme"));
                    }
                }
            }
        }
        // Each parameter of the path is described, and nothing else claims to be one.
        let parameters = operation["parameters"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let mut described: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let mut used: Vec<&str> = name
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap())
            .collect();
        described.sort_unstable();
        used.sort_unstable();
        if described != used {
            wrong.push(format!("{name} describes {described:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let text = document.to_string();
    let references = text.split("\"#/").skip(1);
    let mut seen = 0;
    for reference in references {
        let path = format!("/{}", reference.split('"').next().unwrap());
        assert!(document.pointer(&path).is_some(), "{path}");
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

async fn app() -> TestApp {
    TestApp::start(TestDatabase::sqlite()).await
}

#[tokio::test]
async fn the_documentation_is_served_whole_by_ourselves() {
    let app = app().await;
    let client = app.stranger();
    let served = client.get("/openapi.json").await;
    assert_eq!(served.ok(200), document());
    let to_page = client.get("/docs").await;
    assert!((300..400).contains(&to_page.status), "{}", to_page.status);

    let page = client.get("/docs/").await;
    page.ok(200);
    assert!(page.header("content-type").starts_with("text/html"));
    let mut assets = Vec::new();
    for attribute in ["src=\"", "href=\""] {
        for rest in page.text.split(attribute).skip(1) {
            assets.push(rest.split('"').next().unwrap());
        }
    }
    assert!(assets.len() >= 3, "{assets:?}");
    for asset in assets {
        assert!(!asset.contains("//"), "{asset} comes from elsewhere");
        let path = format!("/docs/{}", asset.trim_start_matches("./"));
        let found = client.get(&path).await;
        assert_eq!(found.status, 200, "{path}");
        assert!(!found.text.is_empty(), "{path}");
    }
    let start = client.get("/docs/swagger-initializer.js").await;
    assert!(start.text.contains("/openapi.json"), "{}", start.text);
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("default-src 'self'") && !policy.contains("http"),
        "{policy}"
    );
    assert!(
        !page.text.contains("<script>"),
        "the policy lets no inline script run"
    );
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_protect_it() {
    let app = app().await;
    let tenant = app.tenant("acme").await;
    make_agent(&tenant.admin.client, "Uno").await;
    let stranger = app.stranger();
    for reply in [
        stranger.get("/healthz").await,
        stranger.get("/docs/").await,
        stranger.get("/openapi.json").await,
        stranger.get("/nada").await,
        stranger.get("/api/v1/agents").await,
        stranger.delete("/healthz").await,
        tenant.admin.client.get("/api/v1/agents").await,
    ] {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), value, "{name}: {}", reply.text);
        }
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!reply.header("x-request-id").is_empty());
        assert!(reply.header("server").is_empty());
    }
    let data = tenant.admin.client.get("/api/v1/agents").await;
    assert_eq!(data.header("cache-control"), "no-store");
    assert!(
        data.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
}

async fn preflight(client: &Client, origin: &str) -> Reply {
    let client = client
        .with("origin", origin)
        .with("access-control-request-method", "POST")
        .with(
            "access-control-request-headers",
            "authorization,idempotency-key",
        );
    client.send(Method::OPTIONS, "/api/v1/agents", None).await
}

#[tokio::test]
async fn other_origins_are_let_in_only_by_name() {
    let panel = "https://panel.example.com";
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.cors_origins = vec![panel.to_owned()];
    })
    .await;
    let allowed = "access-control-allow-origin";
    let reply = preflight(&app.stranger(), panel).await;
    assert_eq!((reply.status, reply.header(allowed)), (200, panel));
    assert_eq!(reply.header("access-control-allow-credentials"), "true");
    assert!(
        reply
            .header("access-control-allow-headers")
            .contains("idempotency-key")
    );
    let reply = app
        .stranger()
        .with("origin", panel)
        .get("/api/v1/agents")
        .await;
    assert_eq!(reply.header(allowed), panel);
    reply.refused(401, "UNAUTHENTICATED");
    for other in [
        "https://malo.example.com",
        "null",
        "https://panel.example.com.malo.net",
    ] {
        assert_eq!(preflight(&app.stranger(), other).await.header(allowed), "");
        let reply = app.stranger().with("origin", other).get("/healthz").await;
        assert_eq!(reply.header(allowed), "");
    }

    let closed = self::app().await;
    assert_eq!(
        preflight(&closed.stranger(), panel).await.header(allowed),
        ""
    );
    let reply = closed
        .stranger()
        .with("origin", panel)
        .get("/healthz")
        .await;
    assert_eq!(reply.header(allowed), "");
}

#[tokio::test]
async fn metrics_ask_for_their_token() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.telemetry.metrics_token = "fichas".to_owned().into();
    })
    .await;
    let stranger = app.stranger();
    stranger
        .get("/metrics")
        .await
        .refused(401, "UNAUTHENTICATED");
    for wrong in ["otra", "", "fichas2", "ficha"] {
        let reply = stranger.bearer(wrong).get("/metrics").await;
        reply.refused(401, "UNAUTHENTICATED");
    }
    stranger.bearer("fichas").get("/metrics").await.ok(200);
    stranger.get("/healthz").await.ok(200);
    stranger.get("/readyz").await.ok(200);
}

db_test! {
    async fn metrics_count_and_name_nobody(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("marcadores").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Marcada").await;
        teach(client, "marcada", "Wifi", "El wifi de la sala se llama Colibrí.").await;
        ask(client, "marcada", "¿Cómo se llama el wifi de la sala?").await;
        client.get("/api/v1/agents/marcada").await.ok(200);
        app.stranger()
            .get("/no/hay/marcadores")
            .await
            .refused(404, "ROUTE_NOT_FOUND");

        let metrics = app.stranger().get("/metrics").await;
        metrics.ok(200);
        assert!(metrics.header("content-type").starts_with("text/plain"));
        for line in [
            "quipu_breaker_state{provider=\"builtin\"} 0",
            "quipu_jobs{state=\"dead\"}",
            "quipu_http_requests_total{route=\"/api/v1/agents/{agent}\",method=\"GET\",status=\"200\"}",
            "quipu_http_request_seconds_bucket{route=\"/api/agents/{agent}/chat\"",
            "quipu_answers_total{grounded=\"yes\",degraded=\"no\"}",
            "quipu_provider_calls_total{",
            "quipu_retrieval_seconds_count",
        ] {
            assert!(
                metrics.text.contains(line),
                "{line} is not in\n{}",
                metrics.text
            );
        }
        for private in [
            tenant.id.to_string(),
            tenant.slug.clone(),
            "marcada".to_owned(),
            agent["id"].as_str().unwrap().to_owned(),
            tenant.admin.email.clone(),
        ] {
            assert!(!metrics.text.contains(&private), "{private}");
        }
    }

    async fn readiness_tells_of_the_database_and_the_queue(db) {
        let postgres = db.is_postgres();
        let app = TestApp::start(db).await;
        let ready = app.stranger().get("/readyz").await.ok(200);
        assert_eq!(ready["status"], "ready");
        assert_eq!(
            ready["database"],
            if postgres { "postgresql" } else { "sqlite" }
        );
        assert_eq!(ready["queue"]["queued"], 0);
        assert_eq!(app.stranger().get("/healthz").await.text, "ok");
        let rag = app.stranger().get("/api/rag/search").await.ok(200);
        assert_eq!(
            (&rag["status"], &rag["method"]),
            (&Value::from("ok"), &Value::from("POST"))
        );
    }
}
