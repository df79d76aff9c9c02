//! What a search does without when something it needs is down: it never waits long, never fails for
//! it, and says what was missing.

use super::{search, start, start_with};
use crate::harness::{
    Client, KBS, TestApp, ask, assign, documents_path, id, make_agent, make_kb, settled, teach_text,
};
use async_trait::async_trait;
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use quipu_core::engine::{Engine, Found, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, TenantId};
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TEXT: &str = "La limpieza dental cuesta 120 soles.";

/// How a provider behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    Well,
    Down,
    Refusing,
    Garbage,
    HalfABatch,
    NotANumber,
    TooShort,
    AfterAMinute,
}

/// A provider that speaks the protocol of OpenAI, or does not.
pub(super) struct Provider {
    behaviour: Mutex<Behaviour>,
    asked: AtomicUsize,
    pub(super) address: String,
}

impl Provider {
    pub(super) async fn start() -> Arc<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Arc::new(Self {
            behaviour: Mutex::new(Behaviour::Well),
            asked: AtomicUsize::new(0),
            address: listener.local_addr().unwrap().to_string(),
        });
        let router = Router::new()
            .route("/v1/embeddings", post(answer))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }
}

async fn answer(
    State(provider): State<Arc<Provider>>,
    Json(request): Json<Value>,
) -> std::result::Result<String, (axum::http::StatusCode, String)> {
    use axum::http::StatusCode;
    provider.asked.fetch_add(1, Ordering::SeqCst);
    let behaviour = *provider.behaviour.lock().unwrap();
    match behaviour {
        Behaviour::Down => return Err((StatusCode::SERVICE_UNAVAILABLE, "no".to_owned())),
        Behaviour::Refusing => {
            let error =
                json!({ "error": { "message": "wrong key", "type": "invalid_request_error" } });
            return Err((StatusCode::UNAUTHORIZED, error.to_string()));
        }
        Behaviour::Garbage => return Ok("<html>¡Bienvenido!</html>".to_owned()),
        Behaviour::AfterAMinute => tokio::time::sleep(Duration::from_mins(1)).await,
        _ => {}
    }
    let texts = request["input"].as_array().cloned().unwrap_or_default();
    let length = if behaviour == Behaviour::TooShort {
        3
    } else {
        4
    };
    let mut data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let letters = text.as_str().unwrap_or_default().chars().count() % 7;
            let mut vector = vec![json!(0.5); length];
            vector[0] = json!(letters + 1);
            json!({ "object": "embedding", "index": index, "embedding": vector })
        })
        .collect();
    if behaviour == Behaviour::HalfABatch {
        data.truncate(data.len() / 2);
    }
    let mut body = json!({ "object": "list", "data": data, "model": "m", "usage": { "prompt_tokens": 1, "total_tokens": 1 } }).to_string();
    if behaviour == Behaviour::NotANumber {
        body = body.replacen("0.5", "NaN", 1);
    }
    Ok(body)
}

/// A knowledge base whose vectors come from the provider, with one text.
async fn world(db: TestDatabase, provider: &Provider) -> (TestApp, Client, Value) {
    let app = start_with(db, |options| {
        options.config.embeddings.allow_hosts = vec![provider.address.clone()];
        options.config.search.embedding_deadline_milliseconds = 700;
    })
    .await;
    let client = app.tenant("acme").await.admin.client;
    let kb = client
        .post(
            KBS,
            json!({ "name": "Clínica", "embedding_config": config(provider) }),
        )
        .await
        .ok(201);
    teach_text(&client, &kb, "Precios", TEXT).await;
    (app, client, kb)
}

pub(super) fn config(provider: &Provider) -> Value {
    json!({
        "provider": "custom", "model": "m", "dimensions": 4,
        "base_url": format!("http://{}/v1", provider.address),
    })
}

/// Searches, and answers how long that took too.
async fn timed(client: &Client, kb: &Value, query: &str) -> (Value, Duration) {
    let began = Instant::now();
    let answer = search(
        client,
        kb,
        json!({ "query": query, "similarity_threshold": 0.1 }),
    )
    .await;
    (answer, began.elapsed())
}

async fn goes_by_words(db: TestDatabase, behaviours: &[Behaviour]) {
    let provider = Provider::start().await;
    let (_app, client, kb) = world(db, &provider).await;
    make_agent(&client, "Uno").await;
    assign(&client, &kb, "uno").await;
    let (answer, _) = timed(&client, &kb, "precio de la limpieza").await;
    assert_eq!(answer["degraded"], json!([]));
    assert!(answer["chunks"][0]["raw_scores"]["cosine"].is_number());
    for (number, behaviour) in behaviours.iter().enumerate() {
        provider.behave(*behaviour);
        let before = provider.asked.load(Ordering::SeqCst);
        // A question of its own each time: one that was asked before is remembered.
        let marks = "?".repeat(number + 1);
        let question = format!("precio de la limpieza dental{marks}");
        let (answer, took) = timed(&client, &kb, &question).await;
        assert!(
            provider.asked.load(Ordering::SeqCst) > before,
            "{behaviour:?}"
        );
        assert_eq!(answer["degraded"], json!(["embedding"]), "{behaviour:?}");
        assert_eq!(answer["chunks"][0]["content"], TEXT, "{behaviour:?}");
        assert!(answer["chunks"][0]["raw_scores"]["cosine"].is_null());
        assert!(took < Duration::from_secs(5), "{behaviour:?} took {took:?}");
        let question = format!("¿cuánto cuesta la limpieza dental{marks}");
        let said = ask(&client, "uno", &question).await;
        assert_eq!(said["degraded"], true, "{said}");
        assert_eq!(said["grounded"], true, "{said}");
    }
}

/// An engine that is not there, or that never answers.
struct Gone {
    hangs: bool,
}

impl Gone {
    async fn fail<T>(&self) -> Result<T> {
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Err(Error::new(ErrorCode::DatabaseUnavailable))
    }
}

#[async_trait]
impl Engine for Gone {
    fn name(&self) -> &'static str {
        "gone"
    }

    async fn search(&self, _: &RetrievalScope, _: KnowledgeBaseId, _: &Probe) -> Result<Found> {
        self.fail().await
    }

    async fn catch_up(&self, _: Partition) -> Result<()> {
        Ok(())
    }

    async fn remove(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
        Ok(0)
    }

    async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
        Ok(Vec::new())
    }
}

db_test! {
    async fn a_model_that_is_down_or_talks_nonsense_leaves_the_words(db) {
        goes_by_words(db, &[Behaviour::Down, Behaviour::Garbage]).await;
    }

    async fn a_model_that_answers_half_leaves_the_words(db) {
        goes_by_words(db, &[Behaviour::HalfABatch, Behaviour::TooShort]).await;
    }

    async fn a_model_that_answers_no_numbers_or_late_leaves_the_words(db) {
        goes_by_words(db, &[Behaviour::NotANumber, Behaviour::AfterAMinute]).await;
    }

    async fn an_engine_that_is_down_leaves_an_answer_without_knowledge(db) {
        for hangs in [false, true] {
            let db = if db.is_postgres() {
                TestDatabase::postgres().await.unwrap()
            } else {
                TestDatabase::sqlite()
            };
            let app = start_with(db, |options| {
                options.engine = Some(Arc::new(Gone { hangs }));
                options.config.search.search_deadline_milliseconds = 400;
            })
            .await;
            let client = app.tenant("acme").await.admin.client;
            make_agent(&client, "Uno").await;
            let kb = make_kb(&client, "Clínica").await;
            teach_text(&client, &kb, "Precios", TEXT).await;
            assign(&client, &kb, "uno").await;
            let (answer, took) = timed(&client, &kb, "precio de la limpieza").await;
            assert_eq!(answer["chunks"], json!([]));
            assert_eq!(answer["degraded"], json!(["engine"]));
            assert!(took < Duration::from_secs(5), "{took:?}");
            let said = ask(&client, "uno", "¿cuánto cuesta la limpieza?").await;
            assert_eq!((&said["grounded"], &said["degraded"]), (&json!(false), &json!(true)), "{said}");
        }
    }

    async fn a_model_that_refuses_fails_the_document_at_once(db) {
        let provider = Provider::start().await;
        let (_app, client, kb) = world(db, &provider).await;
        provider.behave(Behaviour::Refusing);
        let path = format!("{}/text", documents_path(&kb));
        let body = json!({ "title": "Horario", "content": "Abrimos a las nueve." });
        let added = client.post(&path, body).await.ok(202);
        let document = settled(&client, &kb, &added).await;
        assert_eq!(document["status"], "failed");
        assert_eq!(document["error_code"], "EMBEDDING_FAILED", "{document}");
        // Once the provider is in order it can be processed again.
        provider.behave(Behaviour::Well);
        let path = format!("{}/{}/reprocess", documents_path(&kb), id(&document));
        client.post(&path, json!({})).await.ok(202);
        let document = settled(&client, &kb, &document).await;
        assert_eq!(document["status"], "completed", "{document}");
    }

    async fn a_model_that_cannot_be_used_is_refused_when_it_is_named(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        for config in [
            json!({ "provider": "openai", "model": "text-embedding-3-small", "dimensions": 1536 }),
            json!({ "provider": "cohere", "model": "embed-v4.0", "dimensions": 1536 }),
            json!({ "provider": "custom", "model": "m", "dimensions": 4, "base_url": "http://127.0.0.1:9/v1" }),
            json!({ "provider": "custom", "model": "m", "dimensions": 4, "base_url": "http://169.254.169.254/v1" }),
        ] {
            let body = json!({ "name": "Otra", "embedding_config": config });
            client.post(KBS, body).await.refused(422, "EMBEDDING_MISCONFIGURED");
            let path = format!("{KBS}/{}", id(&kb));
            let body = json!({ "embedding_config": config });
            client.patch(&path, body).await.refused(422, "EMBEDDING_MISCONFIGURED");
        }
    }
}
