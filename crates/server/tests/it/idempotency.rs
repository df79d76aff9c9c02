//! A request that is sent twice under one key happens once.

use crate::harness::{Client, Reply, TestApp, all_pages, fresh, make_agent};
use futures::future::join_all;
use quipu_testkit::db_test;
use serde_json::{Value, json};

/// Where things can be made under a key, and how many of them there are.
struct Creation {
    what: &'static str,
    path: &'static str,
    list: &'static str,
    body: Value,
    /// A valid body that means something else.
    other: Value,
    /// The part of the answer that is given once and never again.
    once: Option<&'static str>,
}

fn creations() -> Vec<Creation> {
    vec![
        Creation {
            what: "agent",
            path: "/api/v1/agents",
            list: "/api/v1/agents",
            body: json!({ "name": "Maya" }),
            other: json!({ "name": "Luna" }),
            once: None,
        },
        Creation {
            what: "document",
            path: "/api/v1/agents/base/knowledge",
            list: "/api/v1/agents/base/knowledge",
            body: json!({ "content": "Abrimos a las nueve." }),
            other: json!({ "content": "Cerramos a las seis." }),
            once: None,
        },
        Creation {
            what: "knowledge base",
            path: "/api/v1/knowledge-bases",
            list: "/api/v1/knowledge-bases",
            body: json!({ "name": "Precios" }),
            other: json!({ "name": "Precios", "scope": "personal" }),
            once: None,
        },
        Creation {
            what: "lead",
            path: "/api/v1/leads",
            list: "/api/v1/leads",
            body: json!({ "name": "Ana", "identities": [{ "channel": "web", "external_id": "1" }] }),
            other: json!({ "name": "Eva" }),
            once: None,
        },
        Creation {
            what: "member",
            path: "/api/v1/members",
            list: "/api/v1/members",
            body: json!({ "email": "ana@prueba.test", "name": "Ana", "role": "member" }),
            other: json!({ "email": "ana@prueba.test", "name": "Ana", "role": "admin" }),
            once: Some("invitation"),
        },
        Creation {
            what: "API key",
            path: "/api/v1/api-keys",
            list: "/api/v1/api-keys",
            body: json!({ "name": "n8n", "scopes": ["chat"] }),
            other: json!({ "name": "n8n", "scopes": ["chat", "agents:read"] }),
            once: Some("key"),
        },
        Creation {
            what: "tenant",
            path: "/api/v1/tenants",
            list: "/api/v1/tenants",
            body: json!({ "name": "Nueva" }),
            other: json!({ "name": "Otra" }),
            once: None,
        },
    ]
}

/// Somebody who may make all of it.
async fn maker(app: &TestApp) -> Client {
    let tenant = app.tenant("acme").await;
    make_agent(&tenant.admin.client, "Base").await;
    app.super_admin().await.client.in_tenant("acme")
}

/// The answer without what is given once.
fn lasting(reply: &Reply, once: Option<&str>) -> Value {
    let mut body = reply.json();
    if let Some(once) = once {
        body[once] = Value::Null;
    }
    body
}

db_test! {
    async fn the_same_request_has_one_effect_and_one_answer(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = maker(&app).await;
        for Creation {
            what,
            path,
            list,
            body,
            other,
            once,
        } in creations()
        {
            let before = all_pages(&client, list, 200).await.len();
            let keyed = client.with("idempotency-key", &format!("clave-{}", fresh()));
            let first = keyed.post(path, body.clone()).await;
            let second = keyed.post(path, body.clone()).await;
            assert!(
                (201..=202).contains(&first.status),
                "{what}: {}",
                first.text
            );
            assert_eq!(first.status, second.status, "{what}: {}", second.text);
            assert_eq!(lasting(&first, once), second.json(), "{what}");
            if let Some(once) = once {
                assert!(!first.json()[once].is_null(), "{what}: {}", first.text);
            }
            assert_eq!(
                all_pages(&client, list, 200).await.len(),
                before + 1,
                "{what}"
            );

            keyed
                .post(path, other)
                .await
                .refused(409, "IDEMPOTENCY_MISMATCH");
            assert_eq!(
                all_pages(&client, list, 200).await.len(),
                before + 1,
                "{what}"
            );
        }
    }

    async fn ten_at_once_have_one_effect(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = maker(&app).await;
        for Creation {
            what,
            path,
            list,
            body,
            once,
            ..
        } in creations()
        {
            let before = all_pages(&client, list, 200).await.len();
            let keyed = client.with("idempotency-key", &format!("clave-{}", fresh()));
            let sent = (0..10).map(|_| keyed.post(path, body.clone()));
            let replies = join_all(sent).await;
            assert_eq!(
                all_pages(&client, list, 200).await.len(),
                before + 1,
                "{what}"
            );
            let answer = lasting(&replies[0], once);
            let mut given = 0;
            for reply in &replies {
                assert!(
                    (201..=202).contains(&reply.status),
                    "{what}: {}",
                    reply.text
                );
                assert_eq!(lasting(reply, once), answer, "{what}");
                given += usize::from(once.is_some_and(|once| !reply.json()[once].is_null()));
            }
            assert_eq!(given, usize::from(once.is_some()), "{what}");
        }
    }

    async fn a_failed_attempt_leaves_the_key_free(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = maker(&app).await;
        let keyed = client.with("idempotency-key", "otra-vez");
        keyed
            .post("/api/v1/agents", json!({ "name": " " }))
            .await
            .refused(422, "VALIDATION_FAILED");
        keyed
            .post("/api/v1/agents", json!({ "name": "Base" }))
            .await
            .refused(409, "ALREADY_EXISTS");
        let made = keyed
            .post("/api/v1/agents", json!({ "name": "Maya" }))
            .await
            .ok(201);
        let again = keyed
            .post("/api/v1/agents", json!({ "name": "Maya" }))
            .await
            .ok(201);
        assert_eq!(made, again);

        let keyed = client.with("idempotency-key", "otro-tenant");
        let bad = json!({ "name": "Nueva", "plan": "no-hay" });
        keyed
            .post("/api/v1/tenants", bad)
            .await
            .refused(404, "NOT_FOUND");
        keyed
            .post("/api/v1/tenants", json!({ "name": "Nueva" }))
            .await
            .ok(201);
    }

    async fn a_key_is_its_senders_own(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (a, b) = (app.tenant("acme").await, app.tenant("beta").await);
        let colleague = app.member(&a, quipu_core::access::Role::Admin).await;
        let body = json!({ "name": "Maya", "scopes": ["chat"] });
        let mut ids = std::collections::HashSet::new();
        for client in [&a.admin.client, &colleague.client, &b.admin.client] {
            let made = client
                .with("idempotency-key", "1")
                .post("/api/v1/api-keys", body.clone())
                .await;
            let made = made.ok(201);
            assert!(made["key"].is_string(), "{made}");
            ids.insert(made["id"].to_string());
        }
        assert_eq!(ids.len(), 3);
        // The same key for another kind of thing is a mistake to point out.
        let keyed = a.admin.client.with("idempotency-key", "1");
        keyed
            .post("/api/v1/agents", json!({ "name": "Maya" }))
            .await
            .refused(409, "IDEMPOTENCY_MISMATCH");
    }

    async fn without_a_key_every_request_counts(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = maker(&app).await;
        let body = json!({ "name": "Maya" });
        client.post("/api/v1/agents", body.clone()).await.ok(201);
        client
            .post("/api/v1/agents", body)
            .await
            .refused(409, "ALREADY_EXISTS");
    }
}
