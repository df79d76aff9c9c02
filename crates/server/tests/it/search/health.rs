//! How search does can be told: what it takes, what it finds, what it costs, and whether its engine
//! is there.

use super::degraded::{Provider, config};
use super::{search, start, start_with};
use crate::harness::{
    KBS, TestApp, ask, assign, eventually, id, make_agent, make_kb, teach, teach_text,
};
use quipu_core::access::{Permission, Role};
use quipu_server::config::SearchEngine;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PRICES: &str = "/api/v1/usage/prices";

/// An address at which nobody listens.
async fn nobody() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[tokio::test]
async fn a_search_server_that_is_away_is_not_waited_for_by_every_question() {
    let url = nobody().await;
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.search.engine = SearchEngine::Qdrant;
        options.config.qdrant.url = url;
    })
    .await;
    let client = app.tenant("acme").await.admin.client;
    let kb = make_kb(&client, "Precios").await;
    teach_text(
        &client,
        &kb,
        "Precios",
        "La limpieza dental cuesta 120 soles.",
    )
    .await;
    let asked = json!({ "query": "¿cuánto cuesta la limpieza?" });
    for _ in 0..5 {
        let answer = search(&client, &kb, asked.clone()).await;
        assert_eq!(answer["degraded"], json!(["engine"]), "{answer}");
    }
    let began = Instant::now();
    for _ in 0..5 {
        let answer = search(&client, &kb, asked.clone()).await;
        assert_eq!(answer["degraded"], json!(["engine"]), "{answer}");
    }
    let took = began.elapsed();
    assert!(
        took < Duration::from_millis(500),
        "five questions took {took:?}"
    );
    // The server goes on, and says what is missing.
    let ready = app.stranger().get("/readyz").await.ok(200);
    assert_eq!(ready["status"], "degraded", "{ready}");
    assert_eq!(
        ready["search"],
        json!({ "engine": "qdrant", "available": false })
    );
}

db_test! {
    async fn an_engine_that_is_there_is_said_to_be(db) {
        let app = start(db).await;
        let ready = app.stranger().get("/readyz").await.ok(200);
        assert_eq!((&ready["status"], &ready["search"]["available"]), (&json!("ready"), &json!(true)));
        assert_eq!(ready["search"]["engine"], app.app.engine.name());
    }

    async fn what_a_search_takes_and_finds_is_in_the_statistics(db) {
        let app = start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let agent = id(&make_agent(client, "Maya").await);
        teach(client, "maya", "Precios", "La limpieza dental cuesta 120 soles.").await;
        ask(client, "maya", "¿cuánto cuesta la limpieza dental?").await;
        ask(client, "maya", "Hola").await;
        let path = format!("/api/v1/agents/{agent}/statistics");
        let found = eventually("the turns", async || {
            // A period ends before its end.
            app.clock.advance(Duration::from_secs(1));
            let found = client.get(&path).await.ok(200);
            (found["turns"] == 2 && found["searches"].as_u64() > Some(0)).then_some(found)
        })
        .await;
        assert_eq!(found["rag_use_rate"], 0.5, "{found}");
        let number = |name: &str| found[name].as_f64().unwrap_or_else(|| panic!("{name}: {found}"));
        assert!((0.7..=1.0).contains(&number("mean_relevance")), "{found}");
        assert!((5.0..=40.0).contains(&number("mean_context_tokens")), "{found}");
        let embedding = number("mean_embedding_ms");
        assert!(embedding > 0.0 && number("mean_retrieval_ms") >= embedding, "{found}");
        let log = client.get("/api/v1/retrievals").await.ok(200);
        let entry = &log["data"][0];
        assert!(entry["embedding_ms"].is_number() && entry["context_tokens"].is_u64(), "{entry}");
        // Another tenant's agent has nothing of it.
        let other = app.tenant("otra").await.admin.client;
        let theirs = id(&make_agent(&other, "Maya").await);
        let found = other.get(&format!("/api/v1/agents/{theirs}/statistics")).await.ok(200);
        assert_eq!((&found["searches"], &found["mean_relevance"]), (&json!(0), &Value::Null));
    }

    async fn vectors_are_counted_and_priced(db) {
        let provider = Provider::start().await;
        let address = provider.address.clone();
        let app = start_with(db, |options| options.config.embeddings.allow_hosts = vec![address]).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let other = app.tenant("otra").await.admin.client;
        // A micro-dollar for each token.
        let own = json!({ "prices": [{ "provider": "openai_compatible", "model": "m", "input": 1_000_000 }] });
        let put = client.put(PRICES, own).await.ok(200);
        assert_eq!(put["prices"][0]["output"], 0, "{put}");
        let kb = client.post(KBS, json!({ "name": "Clínica", "embedding_config": config(&provider) })).await.ok(201);
        teach_text(client, &kb, "Precios", "La limpieza dental cuesta 120 soles.").await;
        make_agent(client, "Uno").await;
        assign(client, &kb, "uno").await;
        let counters = async |least: i64| {
            eventually("the counters", async || {
                let usage = client.get("/api/v1/usage").await.ok(200);
                let counters = usage["counters"].clone();
                (counters["embedding_tokens"].as_i64() >= Some(least)).then_some(counters)
            })
            .await
        };
        let after_teaching = counters(1).await;
        let tokens = after_teaching["embedding_tokens"].as_i64().unwrap();
        ask(client, "uno", "¿cuánto cuesta la limpieza dental?").await;
        let found = counters(tokens + 1).await;
        assert_eq!(found["embedding_cost_micros"], found["embedding_tokens"], "{found}");
        assert!(found["embedding_calls"].as_i64() > Some(1), "{found}");
        let theirs = other.get("/api/v1/usage").await.ok(200);
        assert!(theirs["counters"]["embedding_tokens"].is_null(), "{theirs}");
    }

    async fn a_tenant_sets_its_own_prices(db) {
        let app = start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let other = app.tenant("otra").await.admin.client;
        assert_eq!(client.get(PRICES).await.ok(200), json!({ "prices": [], "dollar": null }));
        let own = json!({ "prices": [{ "provider": "openai", "model": " gpt-4o ", "input": 2_000_000, "cached_input": 5, "output": 8_000_000 }] });
        let put = client.put(PRICES, own).await.ok(200);
        assert_eq!(put["prices"][0]["model"], "gpt-4o");
        assert_eq!(client.get(PRICES).await.ok(200), put);
        assert_eq!(other.get(PRICES).await.ok(200), json!({ "prices": [], "dollar": null }));
        let price = |change: Value| {
            let mut price = json!({ "provider": "openai", "model": "m", "input": 1, "output": 1 });
            price.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            price
        };
        for wrong in [
            json!([price(json!({ "model": "" }))]),
            json!([price(json!({ "input": 100_000_000_001_u64 }))]),
            json!([price(json!({})), price(json!({}))]),
            Value::Array((0..201).map(|at| price(json!({ "model": at.to_string() }))).collect()),
        ] {
            let reply = client.put(PRICES, json!({ "prices": wrong })).await;
            reply.refused(422, "VALIDATION_FAILED");
        }
        client.put(PRICES, json!({ "prices": [price(json!({ "provider": "nadie" }))] })).await.refused(400, "INVALID_JSON");
        // Managers see them; only who runs the tenant sets them.
        let manager = app.member(&tenant, Role::Manager).await.client;
        assert_eq!(manager.get(PRICES).await.ok(200), put);
        manager.put(PRICES, json!({})).await.refused(403, "FORBIDDEN");
        let reading = app.program(&tenant, &[Permission::KnowledgeRead]).await;
        reading.get(PRICES).await.refused(403, "FORBIDDEN");
        let log = client.get("/api/v1/audit-log").await.ok(200);
        assert!(log.to_string().contains("prices.update"), "{log}");
    }

    async fn a_provider_that_this_build_lacks_is_not_offered(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let local = json!({ "provider": "local", "model": "e5", "dimensions": 384 });
        let reply = client.post(KBS, json!({ "name": "Local", "embedding_config": local })).await;
        if cfg!(feature = "local-models") {
            return;
        }
        let error = reply.refused(422, "VALIDATION_FAILED");
        let told = error.to_string();
        assert!(told.contains("embedding_config.provider") && told.contains("builtin, openai, cohere, custom"), "{told}");
        let kb = make_kb(&client, "Base").await;
        let path = format!("{KBS}/{}", id(&kb));
        client.patch(&path, json!({ "embedding_config": local })).await.refused(422, "VALIDATION_FAILED");
        let document = app.stranger().get("/openapi.json").await.ok(200);
        let offered = &document["components"]["schemas"]["EmbeddingProvider"]["enum"];
        assert_eq!(*offered, json!(["builtin", "openai", "cohere", "custom"]));
    }
}
