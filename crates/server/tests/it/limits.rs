//! What a plan allows, and what happens at its edges.

use crate::harness::{
    Client, Field, KBS, Tenant, TestApp, add_text, all_pages, document_path, documents_path, found,
    make_agent, make_kb, make_personal_kb, ready, teach_file, teach_text, upload,
};
use futures::future::join_all;
use quipu_core::access::Role;
use quipu_core::plan::PlanLimits;
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const AGENTS: &str = "/api/v1/agents";
const TEXTS: &str = "/api/v1/agents/base/knowledge";

/// A tenant on a plan of its own, with one agent.
async fn tenant(app: &TestApp, slug: &str, change: impl FnOnce(&mut PlanLimits)) -> Tenant {
    app.plan(slug, |_| {}).await;
    let tenant = app.tenant_on(slug, slug).await;
    make_agent(&tenant.admin.client, "Base").await;
    app.plan(slug, change).await;
    tenant
}

async fn balance(client: &Client) -> i64 {
    let usage = client.get("/api/v1/usage").await.ok(200);
    usage["credits_balance"].as_i64().unwrap()
}

async fn ledger(client: &Client) -> Vec<Value> {
    all_pages(client, "/api/v1/usage/credits", 200).await
}

fn sum(ledger: &[Value]) -> i64 {
    let amounts = ledger.iter().map(|entry| entry["amount"].as_i64().unwrap());
    amounts.sum()
}

/// A way to cross a limit: how the plan is narrowed, what is then sent, and the refusal.
struct Crossing {
    limit: &'static str,
    narrow: fn(&mut PlanLimits),
    path: &'static str,
    body: Value,
    refusal: (u16, &'static str),
    value: Value,
}

fn crossings() -> Vec<Crossing> {
    let text = json!({ "content": "a".repeat(200) });
    vec![
        Crossing {
            limit: "max_agents",
            narrow: |limits| limits.max_agents = Some(1),
            path: AGENTS,
            body: json!({ "name": "Otro" }),
            refusal: (403, "PLAN_LIMIT_REACHED"),
            value: json!(1),
        },
        Crossing {
            limit: "max_knowledge_bases",
            narrow: |limits| limits.max_knowledge_bases = Some(0),
            path: KBS,
            body: json!({ "name": "Precios" }),
            refusal: (403, "PLAN_LIMIT_REACHED"),
            value: json!(0),
        },
        Crossing {
            limit: "ai_agents_enabled",
            narrow: |limits| limits.ai_agents_enabled = false,
            path: KBS,
            body: json!({ "name": "Precios" }),
            refusal: (403, "FEATURE_NOT_IN_PLAN"),
            value: json!(false),
        },
        Crossing {
            limit: "max_members",
            narrow: |limits| limits.max_members = Some(1),
            path: "/api/v1/members",
            body: json!({ "email": "eva@prueba.test", "name": "Eva", "role": "member" }),
            refusal: (403, "PLAN_LIMIT_REACHED"),
            value: json!(1),
        },
        Crossing {
            limit: "max_documents_per_kb",
            narrow: |limits| limits.max_documents_per_kb = Some(0),
            path: TEXTS,
            body: text.clone(),
            refusal: (403, "PLAN_LIMIT_REACHED"),
            value: json!(0),
        },
        Crossing {
            limit: "max_kb_bytes",
            narrow: |limits| limits.max_kb_bytes = Some(199),
            path: TEXTS,
            body: text.clone(),
            refusal: (413, "PLAN_SIZE_EXCEEDED"),
            value: json!(199),
        },
        Crossing {
            limit: "max_storage_bytes",
            narrow: |limits| limits.max_storage_bytes = Some(199),
            path: TEXTS,
            body: text.clone(),
            refusal: (413, "PLAN_SIZE_EXCEEDED"),
            value: json!(199),
        },
        Crossing {
            limit: "monthly_credits",
            narrow: |limits| limits.monthly_credits = 0,
            path: TEXTS,
            body: text.clone(),
            refusal: (402, "CREDITS_EXHAUSTED"),
            value: json!(0),
        },
        Crossing {
            limit: "ai_agents_enabled",
            narrow: |limits| limits.ai_agents_enabled = false,
            path: AGENTS,
            body: json!({ "name": "Otro" }),
            refusal: (403, "FEATURE_NOT_IN_PLAN"),
            value: json!(false),
        },
        Crossing {
            limit: "ai_agents_enabled",
            narrow: |limits| limits.ai_agents_enabled = false,
            path: TEXTS,
            body: text,
            refusal: (403, "FEATURE_NOT_IN_PLAN"),
            value: json!(false),
        },
        Crossing {
            limit: "ai_agents_enabled",
            narrow: |limits| limits.ai_agents_enabled = false,
            path: "/api/agents/base/chat",
            body: json!({ "messages": [{ "role": "user", "content": "hola" }] }),
            refusal: (403, "FEATURE_NOT_IN_PLAN"),
            value: json!(false),
        },
    ]
}

sqlite_test! {
    async fn each_limit_is_named_when_it_is_reached(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        for (i, crossing) in crossings().into_iter().enumerate() {
            let slug = format!("plan-{i}");
            let tenant = tenant(&app, &slug, crossing.narrow).await;
            let client = &tenant.admin.client;
            let (status, code) = crossing.refusal;
            let error = client
                .post(crossing.path, crossing.body.clone())
                .await
                .refused(status, code);
            assert_eq!(error["details"]["limit"], crossing.limit);
            assert_eq!(
                error["details"]["value"], crossing.value,
                "{}",
                crossing.limit
            );
            assert_eq!(error["details"]["plan"], json!(slug));
            // With a wider plan the very same request goes through at once.
            app.plan(&slug, |_| {}).await;
            let reply = client.post(crossing.path, crossing.body).await;
            assert!(
                (200..300).contains(&reply.status),
                "{}: {}",
                crossing.limit,
                reply.text
            );
        }
    }

    async fn what_fits_exactly_fits(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "justo", |limits| {
            limits.max_agents = Some(2);
            limits.max_members = Some(2);
            limits.max_documents_per_kb = Some(2);
            limits.max_kb_bytes = Some(20);
            limits.max_storage_bytes = Some(30);
            limits.monthly_credits = 3;
        })
        .await;
        let client = &tenant.admin.client;
        make_agent(client, "Otro").await;
        add_text(client, "base", "Uno", "0123456789").await;
        add_text(client, "base", "Dos", "9876543210").await;
        add_text(client, "otro", "Tres", "0123456789").await;
        assert_eq!(balance(client).await, 0);
        let body = json!({ "email": "eva@prueba.test", "name": "Eva", "role": "member" });
        client.post("/api/v1/members", body).await.ok(201);
        let usage = client.get("/api/v1/usage").await.ok(200);
        for (limit, used) in [
            ("max_agents", 2),
            ("max_members", 2),
            ("max_storage_bytes", 30),
        ] {
            let limits = usage["limits"].as_array().unwrap();
            let found = limits.iter().find(|entry| entry["limit"] == limit).unwrap();
            assert_eq!(
                (&found["used"], &found["value"]),
                (&json!(used), &json!(used)),
                "{limit}"
            );
        }
        // Deleting makes room again, in bytes and in number.
        let body = json!({ "content": "x" });
        client
            .post(TEXTS, body.clone())
            .await
            .refused(403, "PLAN_LIMIT_REACHED");
        let listed = client.get(TEXTS).await.ok(200);
        let path = format!("{TEXTS}/{}", listed["data"][0]["id"].as_str().unwrap());
        client.delete(&path).await.ok(200);
        client
            .post(TEXTS, body)
            .await
            .refused(402, "CREDITS_EXHAUSTED");
    }
}

db_test! {
    async fn two_at_once_do_not_both_get_the_last_place(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "ultimo", |limits| {
            limits.max_agents = Some(2);
            limits.max_members = Some(2);
            limits.max_documents_per_kb = Some(1);
        })
        .await;
        let client = &tenant.admin.client;
        for (path, list, bodies) in [
            (AGENTS, AGENTS, vec![json!({ "name": "A" }), json!({ "name": "B" }), json!({ "name": "C" })]),
            ("/api/v1/members", "/api/v1/members", ["a", "b", "c"].map(|name| {
                json!({ "email": format!("{name}@prueba.test"), "name": name, "role": "member" })
            }).to_vec()),
            (TEXTS, TEXTS, vec![json!({ "content": "A" }), json!({ "content": "B" }), json!({ "content": "C" })]),
        ] {
            let places = if path == TEXTS { 1 } else { 2 };
            let replies = join_all(bodies.into_iter().map(|body| client.post(path, body))).await;
            let made = replies.iter().filter(|reply| reply.status < 300).count();
            let full = replies.iter().filter(|reply| reply.code() == "PLAN_LIMIT_REACHED").count();
            assert_eq!((made, full), (1, 2), "{path}: {replies:?}");
            assert_eq!(all_pages(client, list, 50).await.len(), places, "{path}");
        }
    }

    async fn credits_are_not_spent_twice_at_once(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "dos-creditos", |limits| limits.monthly_credits = 2).await;
        let client = &tenant.admin.client;
        let texts = (0..6).map(|i| client.post(TEXTS, json!({ "content": format!("Texto {i}") })));
        let replies = join_all(texts).await;
        let added = replies.iter().filter(|reply| reply.status == 202).count();
        let broke = replies
            .iter()
            .filter(|reply| reply.code() == "CREDITS_EXHAUSTED")
            .count();
        assert_eq!((added, broke), (2, 4), "{replies:?}");
        assert_eq!(balance(client).await, 0);
        assert_eq!(sum(&ledger(client).await), 0);
    }
}

sqlite_test! {
    async fn the_ledger_adds_up_to_the_balance(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "libro", |limits| limits.monthly_credits = 100).await;
        let client = &tenant.admin.client;
        let root = app.super_admin().await.client;
        assert_eq!(balance(client).await, 100);
        add_text(client, "base", "Corto", "hola").await;
        add_text(client, "base", "Largo", &"palabra ".repeat(3000)).await;
        assert_eq!(balance(client).await, 100 - 1 - 3);
        let path = format!("/api/v1/tenants/{}/credits", tenant.id);
        let grant =
            |amount: i64, reference: &str| json!({ "amount": amount, "reference": reference });
        assert_eq!(
            root.post(&path, grant(50, "F001-1")).await.ok(200)["balance"],
            146
        );
        root.post(&path, grant(50, "F001-1"))
            .await
            .refused(409, "ALREADY_EXISTS");
        for bad in [0, -5, 1_000_000_001] {
            root.post(&path, grant(bad, "F001-2"))
                .await
                .refused(422, "VALIDATION_FAILED");
        }
        // A text that is refused costs nothing.
        client
            .post(TEXTS, json!({ "content": "hola" }))
            .await
            .refused(409, "DUPLICATE_DOCUMENT");
        let entries = ledger(client).await;
        assert_eq!(balance(client).await, 146);
        assert_eq!(sum(&entries), 146);
        assert_eq!(entries.len(), 4);
    }
}

db_test! {
    async fn a_months_credits_come_once(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "mes", |limits| limits.monthly_credits = 10).await;
        let client = &tenant.admin.client;
        join_all((0..8).map(|_| client.get("/api/v1/usage"))).await;
        assert_eq!(balance(client).await, 10);
        app.clock.advance(Duration::from_hours(31 * 24));
        let client = app.sign_in(tenant.admin.id).await;
        join_all((0..8).map(|_| client.get("/api/v1/usage"))).await;
        assert_eq!(balance(&client).await, 20);
        let entries = ledger(&client).await;
        let references: Vec<_> = entries
            .iter()
            .map(|entry| entry["reference"].as_str().unwrap())
            .collect();
        assert_eq!(references, ["2026-04", "2026-03"]);
        assert!(
            entries
                .iter()
                .all(|entry| entry["reason"] == "monthly_grant")
        );
    }
}

sqlite_test! {
    async fn one_tenants_haste_does_not_slow_another(db) {
        let app = TestApp::start(db).await;
        let hasty = tenant(&app, "veloz", |limits| limits.requests_per_minute = 3).await;
        let calm = app.tenant("calma").await;
        let client = &app
            .program(&hasty, quipu_core::access::Permission::ALL)
            .await;
        for left in ["2", "1", "0"] {
            let reply = client.get(AGENTS).await;
            reply.ok(200);
            assert_eq!(reply.header("ratelimit-limit"), "3");
            assert_eq!(reply.header("ratelimit-remaining"), left);
        }
        let reply = client.get(AGENTS).await;
        let error = reply.refused(429, "RATE_LIMITED");
        assert_eq!(error["details"]["limit"], "requests_per_minute");
        assert_eq!(
            (&error["details"]["value"], &error["details"]["plan"]),
            (&json!(3), &json!("veloz"))
        );
        let wait: u64 = reply.header("retry-after").parse().unwrap();
        assert!((1..=21).contains(&wait), "{wait}");
        assert_eq!(reply.header("ratelimit-remaining"), "0");
        assert_eq!(reply.header("ratelimit-reset"), "60");
        // All programs of the tenant share the allowance; nobody else does, and people have their own.
        let key = app
            .program(&hasty, quipu_core::access::Permission::ALL)
            .await;
        key.get(AGENTS).await.refused(429, "RATE_LIMITED");
        let calm = app
            .program(&calm, quipu_core::access::Permission::ALL)
            .await;
        let reply = calm.get(AGENTS).await;
        reply.ok(200);
        assert_eq!(reply.header("ratelimit-limit"), "4500");
        let person = &hasty.admin.client;
        let reply = person.get(AGENTS).await;
        reply.ok(200);
        assert_eq!(reply.header("ratelimit-limit"), "600");
        person.get("/api/v1/auth/me").await.ok(200);
    }

    async fn plans_are_data(db) {
        let app = TestApp::start(db).await;
        let root = app.super_admin().await.client;
        let plans = root.get("/api/v1/plans").await.ok(200);
        let slugs: Vec<_> = plans
            .as_array()
            .unwrap()
            .iter()
            .map(|plan| &plan["slug"])
            .collect();
        assert_eq!(slugs.len(), 3, "{slugs:?}");
        let mut limits = plans[0]["limits"].clone();
        limits["max_agents"] = json!(7);
        let body = json!({ "name": "A medida", "limits": limits });
        let put = root
            .put("/api/v1/plans/a-medida", body.clone())
            .await
            .ok(200);
        assert_eq!(put["limits"]["max_agents"], 7);
        root.put("/api/v1/plans/A--medida", body.clone())
            .await
            .refused(422, "VALIDATION_FAILED");
        let mut bad = body;
        bad["limits"]["requests_per_minute"] = json!(0);
        root.put("/api/v1/plans/a-medida", bad)
            .await
            .refused(422, "VALIDATION_FAILED");

        let tenant = json!({ "name": "Nueva", "plan": "a-medida" });
        let tenant = root.post("/api/v1/tenants", tenant).await.ok(201);
        root.delete("/api/v1/plans/a-medida")
            .await
            .refused(409, "PLAN_IN_USE");
        let path = format!("/api/v1/tenants/{}", tenant["id"].as_str().unwrap());
        root.patch(&path, json!({ "plan": "no-hay" }))
            .await
            .refused(404, "NOT_FOUND");
        assert_eq!(
            root.patch(&path, json!({ "plan": "free" })).await.ok(200)["plan"],
            "free"
        );
        root.delete("/api/v1/plans/a-medida").await.ok(204);
        root.delete("/api/v1/plans/a-medida")
            .await
            .refused(404, "NOT_FOUND");
    }
}

/// The path under which a document's file is replaced.
fn file_path(kb: &Value, document: &Value) -> String {
    format!("{}/file", document_path(kb, document))
}

sqlite_test! {
    async fn a_file_of_a_full_knowledge_base_can_be_replaced(db) {
        let app = TestApp::start(db).await;
        let tenant = tenant(&app, "llena", |_| {}).await;
        let client = &tenant.admin.client;
        let kb = make_kb(client, "Precios").await;
        let old = "La limpieza cuesta S/ 120. ".repeat(20);
        let document = teach_file(client, &kb, "precios.txt", old.as_bytes()).await;
        app.plan("llena", |limits| {
            limits.max_documents_per_kb = Some(1);
            limits.max_kb_bytes = Some(old.len() as u64);
            limits.max_storage_bytes = Some(old.len() as u64);
        }).await;
        let path = file_path(&kb, &document);
        let put = async |text: &str| {
            let fields = [Field::file("precios.txt", text.as_bytes())];
            client.form(Method::PUT, &path, &fields).await
        };
        let new = "La limpieza cuesta S/ 150. ".repeat(20);
        put(&new).await.ok(202);
        ready(client, &kb, &document).await;
        let best = &found(client, &kb, "¿cuánto cuesta la limpieza?").await[0];
        assert!(best["content"].as_str().unwrap().contains("150"), "{best}");
        put(&format!("{new} y más")).await.refused(413, "PLAN_SIZE_EXCEEDED");
        upload(client, &kb, &[Field::file("otro.txt", b"Otro documento.")]).await
            .refused(403, "PLAN_LIMIT_REACHED");
        // What became too much for the plan may still become less.
        app.plan("llena", |limits| limits.max_kb_bytes = Some(10)).await;
        put("La limpieza cuesta S/ 160.").await.ok(202);
    }

    async fn a_file_is_refused_at_once_when_no_credit_is_left(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = tenant(&app, "sin-credito", |_| {}).await;
        let client = &tenant.admin.client;
        let kb = make_kb(client, "Precios").await;
        app.plan("sin-credito", |limits| limits.monthly_credits = 1).await;
        // Nobody processes them here: the first one waits, and takes the only credit.
        let first = upload(client, &kb, &[Field::file("uno.txt", b"Uno.")]).await;
        first.ok(202);
        let second = upload(client, &kb, &[Field::file("dos.txt", b"Dos.")]).await;
        let error = second.refused(402, "CREDITS_EXHAUSTED");
        assert_eq!((&error["details"]["needed"], &error["details"]["balance"]), (&json!(2), &json!(1)));
        let url = json!({ "url": "https://example.com/precios" });
        client.post(&format!("{}/url", documents_path(&kb)), url).await
            .refused(402, "CREDITS_EXHAUSTED");
        assert_eq!(all_pages(client, &documents_path(&kb), 50).await.len(), 1);
    }
}

db_test! {
    async fn what_members_keep_for_themselves_is_counted_and_not_shown(db) {
        let app = TestApp::start(db).await;
        let tenant = tenant(&app, "personal", |_| {}).await;
        let member = app.member(&tenant, Role::Member).await;
        let kb = make_personal_kb(&member.client, "Mi diario").await;
        let text = "Lo que nadie más lee.";
        teach_text(&member.client, &kb, "Secreto", text).await;
        let usage = tenant.admin.client.get("/api/v1/usage").await.ok(200);
        assert_eq!(
            usage["personal_knowledge"],
            json!({ "members": 1, "knowledge_bases": 1, "documents": 1, "size_bytes": text.len() })
        );
        let told = usage.to_string();
        assert!(!told.contains("diario") && !told.contains("Secreto"), "{told}");
        // It counts against the same limits.
        app.plan("personal", |limits| limits.max_knowledge_bases = Some(1)).await;
        let error = tenant.admin.client.post(KBS, json!({ "name": "Otra" })).await
            .refused(403, "PLAN_LIMIT_REACHED");
        assert_eq!(error["details"]["used"], 1);
    }
}
