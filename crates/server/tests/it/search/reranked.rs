//! Having the best of a search judged again.

use super::{names, search, start, start_with};
use crate::harness::{KBS, eventually, kb_path, make_agent, make_kb, teach_text};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use quipu_core::reranking::RerankProvider;
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const TEXTS: [(&str, &str); 3] = [
    ("Precios", "La limpieza dental cuesta 120 soles."),
    (
        "Cuidados",
        "Después de la limpieza dental no tome café por un día.",
    ),
    ("Horario", "La limpieza dental se hace de lunes a sábado."),
];

/// A server that speaks Cohere's protocol and likes one word.
#[derive(Default)]
struct Judge {
    likes: Mutex<Option<&'static str>>,
    keys: Mutex<Vec<String>>,
}

async fn judge(
    State(judge): State<Arc<Judge>>,
    headers: HeaderMap,
    Json(request): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    let key = headers
        .get("authorization")
        .and_then(|key| key.to_str().ok());
    judge
        .keys
        .lock()
        .unwrap()
        .push(key.unwrap_or_default().to_owned());
    let Some(likes) = *judge.likes.lock().unwrap() else {
        return Err(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let documents = request["documents"].as_array().unwrap();
    let results = documents.iter().enumerate().map(|(index, document)| {
        let text = document.as_str().unwrap();
        json!({ "index": index, "relevance_score": if text.contains(likes) { 0.98 } else { 0.03 } })
    });
    Ok(Json(
        json!({ "id": "1", "results": results.collect::<Vec<_>>() }),
    ))
}

db_test! {
    async fn a_service_changes_the_order_and_may_be_missed(db) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(Judge::default());
        let router = Router::new().route("/v2/rerank", post(judge)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let app = start_with(db, |options| {
            options.config.embeddings.allow_hosts = vec![address.clone()];
            options.config.rerank.provider = RerankProvider::Cohere;
            options.config.rerank.base_url = format!("http://{address}");
            options.config.rerank.api_key = "clave-de-prueba".to_owned().into();
        })
        .await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        for (title, text) in TEXTS {
            teach_text(&client, &kb, title, text).await;
        }
        let asked = |rerank: bool| json!({
            "query": "limpieza dental", "similarity_threshold": 0, "rerank": rerank,
        });
        for (likes, title) in [("café", "Cuidados"), ("sábado", "Horario"), ("soles", "Precios")] {
            *state.likes.lock().unwrap() = Some(likes);
            let answer = search(&client, &kb, asked(true)).await;
            assert_eq!(names(&answer)[0], title, "{answer}");
            assert_eq!(answer["degraded"], json!([]));
            assert!(answer["timings"]["rerank"].as_f64().unwrap() > 0.0);
            let scores = answer["chunks"].as_array().unwrap().iter();
            let scores: Vec<f64> = scores.map(|c| c["similarity_score"].as_f64().unwrap()).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        }
        assert!(state.keys.lock().unwrap().iter().all(|key| key == "Bearer clave-de-prueba"));
        // Whoever does not ask for it is not judged again.
        let before = state.keys.lock().unwrap().len();
        let plain = search(&client, &kb, asked(false)).await;
        assert_eq!(state.keys.lock().unwrap().len(), before);
        assert_eq!(plain["timings"]["rerank"], json!(0.0));
        // Without the service the order is that of the search, and it is said.
        *state.likes.lock().unwrap() = None;
        let answer = search(&client, &kb, asked(true)).await;
        assert_eq!(names(&answer), names(&plain));
        assert_eq!(answer["degraded"], json!(["rerank"]));
    }

    async fn the_judge_reads_what_the_encoder_found_with_the_question(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        for (title, text) in TEXTS {
            teach_text(&client, &kb, title, text).await;
        }
        let encoder = || async {
            let shown = client.get(&kb_path(&kb)).await.ok(200);
            (shown["searched_with"]["model"] == "quipu-es-en/encoder").then_some(())
        };
        eventually("vectors of the encoder", encoder).await;
        let best = async |query: &str, rerank: bool| {
            let body = json!({ "query": query, "similarity_threshold": 0, "rerank": rerank });
            let answer = search(&client, &kb, body).await;
            assert_eq!(answer["degraded"], json!([]));
            assert_eq!(answer["timings"]["rerank"].as_f64().unwrap() > 0.0, rerank);
            answer["chunks"][0]["similarity_score"].as_f64().unwrap()
        };
        // All three speak of the same thing; one of them answers, and none says who does it.
        let answered = "¿qué días hacen la limpieza?";
        let unanswered = "¿qué doctora hace la limpieza dental?";
        assert!(best(answered, true).await > best(answered, false).await);
        assert!(best(unanswered, true).await < best(unanswered, false).await);
    }

    async fn the_encoder_looks_again_at_what_quick_vectors_found(db) {
        let app = start_with(db, |options| {
            options.config.rerank.provider = RerankProvider::Encoder;
        })
        .await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        let body = json!({ "name": "Rápida", "embedding_config": { "model": "quipu-es-en/static" } });
        let kb = client.post(KBS, body).await.ok(201);
        for (title, text) in TEXTS {
            teach_text(&client, &kb, title, text).await;
        }
        let query = |rerank: bool| json!({
            "query": "¿qué no puedo tomar luego de limpiarme los dientes?", "similarity_threshold": 0,
            "rerank": rerank,
        });
        let quick = search(&client, &kb, query(false)).await;
        let judged = search(&client, &kb, query(true)).await;
        assert_eq!(judged["degraded"], json!([]));
        assert_eq!(names(&judged)[0], "Cuidados");
        assert!(judged["timings"]["rerank"].as_f64().unwrap() > 0.0);
        let score = |answer: &Value| answer["chunks"][0]["similarity_score"].as_f64().unwrap();
        assert!((score(&quick) - score(&judged)).abs() > 1e-6, "{quick} {judged}");
        assert_eq!(client.get(&kb_path(&kb)).await.ok(200)["searched_with"]["model"], "quipu-es-en/static");
    }
}
