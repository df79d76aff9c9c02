//! Searching over the API: what is found, in what scope, and what happens when something is missing.
//! On SQLite the embedded engine searches, on PostgreSQL the one inside the database.

mod degraded;
mod healing;
mod health;
mod internal;
mod reranked;
mod results;
mod scopes;
mod workflow;

use crate::harness::{
    Client, Options, TestApp, assign, document_path, documents_path, id, kb_path, make_agent,
    make_kb, ready, teach_text,
};
use quipu_server::config::SearchEngine;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};

/// Has the engine search that lies in the database, where there is one.
fn own_engine(options: &mut Options, db_is_postgres: bool) {
    if db_is_postgres {
        options.config.search.engine = SearchEngine::Pgvector;
    }
}

async fn start(db: TestDatabase) -> TestApp {
    start_with(db, |_| {}).await
}

async fn start_with(db: TestDatabase, change: impl FnOnce(&mut Options)) -> TestApp {
    let postgres = db.is_postgres();
    TestApp::start_with(db, |options| {
        own_engine(options, postgres);
        change(options);
    })
    .await
}

async fn search(client: &Client, kb: &Value, body: Value) -> Value {
    let path = format!("{}/search", kb_path(kb));
    client.post(&path, body).await.ok(200)
}

/// The names of the documents that were found, the best first.
fn names(answer: &Value) -> Vec<&str> {
    let chunks = answer["chunks"].as_array().unwrap();
    chunks
        .iter()
        .map(|chunk| chunk["document_name"].as_str().unwrap())
        .collect()
}

async fn add(client: &Client, kb: &Value, body: Value) -> Value {
    let path = format!("{}/text", documents_path(kb));
    let added = client.post(&path, body).await.ok(202);
    ready(client, kb, &added).await
}

db_test! {
    async fn the_engine_is_the_one_that_was_chosen(db) {
        let postgres = db.is_postgres();
        let app = start(db).await;
        assert_eq!(app.app.engine.name(), if postgres { "pgvector" } else { "embedded" });
    }

    async fn an_answer_says_what_was_found_and_where(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        let kb = make_kb(&client, "Clínica").await;
        let text = "La limpieza dental cuesta S/ 120 y dura 40 minutos.";
        let document = add(&client, &kb, json!({
            "title": "Precios", "content": text, "metadata": { "sucursal": "Miraflores" },
        })).await;
        teach_text(&client, &kb, "Horario", "Abrimos de lunes a sábado de 9 a 18 horas.").await;
        assign(&client, &kb, "uno").await;
        let asked = json!({ "query": "¿a cómo la limpieza?", "knowledge_base_ids": [id(&kb)] });
        for path in [format!("{}/search", kb_path(&kb)), "/api/v1/agents/uno/search".to_owned()] {
            let answer = client.post(&path, asked.clone()).await.ok(200);
            let best = &answer["chunks"][0];
            assert_eq!(best["content"], text);
            assert_eq!(best["document_id"], document["id"]);
            assert_eq!(best["document_name"], "Precios");
            assert_eq!(best["knowledge_base_id"], kb["id"]);
            assert_eq!(best["metadata"]["sucursal"], "Miraflores");
            assert_eq!((&best["start_char"], &best["end_char"]), (&json!(0), &json!(text.chars().count())));
            assert!(best["similarity_score"].as_f64().unwrap() >= 0.7, "{answer}");
            assert!(best["raw_scores"]["coverage"].as_f64().unwrap() > 0.5);
            assert_eq!(answer["total_chunks_searched"], 2);
            assert_eq!(answer["degraded"], json!([]));
            let context = answer["formatted_context"].as_str().unwrap();
            assert!(context.contains("[CORPUS GLOBAL]") && context.contains(text), "{context}");
            assert_eq!(answer["sources"][0]["document_id"], document["id"]);
            let timings = answer["timings"].as_object().unwrap();
            assert!(timings.values().all(|time| time.as_f64().unwrap() >= 0.0));
        }
        // What nobody wrote about is not made up.
        let answer = search(&client, &kb, json!({ "query": "¿venden neumáticos para camión?" })).await;
        assert_eq!(answer["chunks"], json!([]));
    }

    async fn filters_restrict_what_is_found(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Tienda").await;
        let texts = [
            ("uno", "El precio de la limpieza es 100 soles.", "precios", "verano", "Lima", "2025-01-10"),
            ("dos", "El precio de la limpieza es 110 soles.", "precios", "otoño", "Cusco", "2025-06-10"),
            ("tres", "El precio de la limpieza es 130 soles.", "avisos", "otoño", "Lima", "2026-01-10"),
        ];
        let mut ids = Vec::new();
        for (title, content, category, tag, branch, date) in texts {
            let document = add(&client, &kb, json!({
                "title": title, "content": content, "category": category, "tags": [tag],
                "metadata": { "branch": branch, "floor": 2 },
            })).await;
            let dated = json!({ "document_date": date });
            client.patch(&document_path(&kb, &document), dated).await.ok(200);
            ids.push(document["id"].clone());
        }
        let found = async |filters: Value| {
            let body = json!({
                "query": "precio de la limpieza", "similarity_threshold": 0, "filters": filters,
            });
            let answer = search(&client, &kb, body).await;
            let mut names: Vec<String> = names(&answer).into_iter().map(str::to_owned).collect();
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(found(json!({})).await, "dos tres uno");
        assert_eq!(found(json!({ "document_ids": [ids[1], ids[2]] })).await, "dos tres");
        assert_eq!(found(json!({ "category": "precios" })).await, "dos uno");
        assert_eq!(found(json!({ "tags": ["Otoño"] })).await, "dos tres");
        assert_eq!(found(json!({ "tags": ["otoño", "verano"] })).await, "");
        assert_eq!(found(json!({ "metadata": { "branch": "Lima" } })).await, "tres uno");
        assert_eq!(found(json!({ "metadata": { "branch": "Lima", "floor": 2 } })).await, "tres uno");
        assert_eq!(found(json!({ "metadata": { "nobody": "knows" } })).await, "");
        let day = |from: &str, to: &str| json!({ "date_range": { "from": from, "to": to } });
        assert_eq!(found(day("2025-01-10", "2025-06-10")).await, "dos uno");
        assert_eq!(found(day("2026-01-01", "2026-12-31")).await, "tres");
        assert_eq!(found(json!({ "date_range": { "from": "2025-06-11" } })).await, "tres");
        let both = json!({ "category": "precios", "tags": ["otoño"] });
        assert_eq!(found(both).await, "dos");
        let other = json!({ "document_ids": ["0198c0de-0000-7000-8000-000000000000"] });
        assert_eq!(found(other).await, "");
    }

    async fn bad_questions_get_clear_errors(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        let kb = make_kb(&client, "Tienda").await;
        teach_text(&client, &kb, "Precios", "La limpieza cuesta 100 soles.").await;
        let long = "limpieza ".repeat(12_000);
        let bad = [
            json!({ "query": "" }),
            json!({ "query": "   \n" }),
            json!({ "query": long }),
            json!({ "query": "limpieza", "top_k": 0 }),
            json!({ "query": "limpieza", "top_k": 1_000_000_000 }),
            json!({ "query": "limpieza", "top_k": -1 }),
            json!({ "query": "limpieza", "similarity_threshold": 1.01 }),
            json!({ "query": "limpieza", "similarity_threshold": -0.01 }),
            json!({ "query": "limpieza", "similarity_threshold": null }),
            json!({ "query": "limpieza", "mode": "magic" }),
            json!({ "query": "limpieza", "filters": { "colour": "red" } }),
            json!({ "query": "limpieza", "filters": { "date_range": { "from": "2026-02-01", "to": "2026-01-01" } } }),
            json!({ "query": "limpieza", "filters": { "date_range": { "from": "2026-02-30" } } }),
            json!({ "query": "limpieza", "filters": { "document_ids": ["x"] } }),
            json!({ "query": "limpieza", "unknown": true }),
            json!({ "query": 7 }),
            json!({}),
        ];
        for path in [format!("{}/search", kb_path(&kb)), "/api/v1/agents/uno/search".to_owned()] {
            for body in &bad {
                let reply = client.post(&path, body.clone()).await;
                let shown = body.to_string();
                let shown = &shown[..shown.len().min(120)];
                assert!(matches!(reply.status, 400 | 413 | 422), "{shown}: {}", reply.status);
                let error = &reply.json()["error"];
                for field in ["code", "message", "request_id"] {
                    assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{shown}: {error}");
                }
            }
        }
        // Strange ones are answered, with nothing or with what there is.
        for query in ["😀🦷✨", "\u{0}\u{1}\u{7f}\u{202e}limpieza", "'; DROP TABLE chunks; --", "limpieza \\ ' \" & | ! :*", "ﷺ ａｂｃ ᠎", "?", "a"] {
            let reply = client.post(&format!("{}/search", kb_path(&kb)), json!({ "query": query })).await;
            assert!(matches!(reply.status, 200 | 400 | 422), "{query:?}: {} {}", reply.status, reply.text);
        }
    }

    async fn what_is_switched_off_or_deleted_is_not_found(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Tienda").await;
        let document = teach_text(&client, &kb, "Precios", "La limpieza cuesta 100 soles.").await;
        let found = async || names(&search(&client, &kb, json!({ "query": "precio limpieza" })).await).len();
        assert_eq!(found().await, 1);
        let path = document_path(&kb, &document);
        client.patch(&path, json!({ "enabled": false })).await.ok(200);
        assert_eq!(found().await, 0);
        client.patch(&path, json!({ "enabled": true })).await.ok(200);
        assert_eq!(found().await, 1);
        client.delete(&path).await.ok(200);
        assert_eq!(found().await, 0);
    }
}
